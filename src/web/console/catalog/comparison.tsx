import { useComputed } from '@preact/signals'
import { type CatalogComparison, type ConsoleRequest, consolePaths } from '../../../contract/console.ts'
import { at, listAt } from '../../../contract/schema/path.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { local } from '../service/local.ts'
import { catalogChanges, requests } from '../service/requests.ts'
import { Commands } from '../shell/commands.tsx'
import { Loaded, useLoading } from '../shell/loaded.tsx'
import { Problem } from '../shell/problem.tsx'
import { shellWord } from '../shell/shell-word.ts'
import { ChangedField } from '../vatom/changed-field.tsx'

/** How what a publisher has differs from the files that the service was started with; nothing where there are none. */
export function Comparison({ user }: { readonly user: string }) {
  const load = () => local<CatalogComparison | null>('GET', `${consolePaths.catalog}?${new URLSearchParams({ user })}`)
  const written = useComputed(() => requests.value.findLast(isCatalogWrite)?.seq)
  const loading = useLoading(load, `${catalogChanges.value} ${written.value}`)
  return <Loaded loading={loading}>{(found) => found && <Shown found={found} user={user} />}</Loaded>
}

/** Whether a request has changed a record of a catalog. */
const isCatalogWrite = ({ method, path, status, dry_run }: ConsoleRequest): boolean =>
  method !== 'GET' && status === 200 && !dry_run && /^\/v1\/(templates|template_variations|publisher)/.test(path)

const textAt = (value: unknown, ...path: readonly string[]): string => String(at(value, ...path) ?? '')

interface ShownProps {
  readonly found: CatalogComparison
  readonly user: string
}

function Shown({ found: { paths, plan }, user }: ShownProps) {
  const failure = at(plan, 'error')
  const rows = listAt(plan, 'results').filter(isListed)
  // Those of no document.
  const warnings = listAt(plan, 'warnings')
  return (
    <section class="comparison" aria-label="Compared with the files">
      <h2>
        Compared with <code>{paths.join(' ')}</code>
      </h2>
      <p class="count" role="status">
        {headlineOf(plan)}
      </p>
      {warnings.length > 0 && (
        <ul class="people differences" aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={textAt(warning, 'message')}>
              <Reason reason={warning} />
            </li>
          ))}
        </ul>
      )}
      {failure !== undefined && rows.length === 0 && <Problem>{textAt(failure, 'message')}</Problem>}
      {rows.length > 0 && (
        <ul class="people differences">
          {rows.map((row) => (
            <li key={`${textAt(row, 'kind')} ${textAt(row, 'name')} ${textAt(row, 'file')}`}>
              <Difference row={row} />
            </li>
          ))}
        </ul>
      )}
      {rows.length > 0 && failure === undefined && (
        <Commands
          user={user}
          label="Copy the command"
          lines={({ vatom, here }) => [`${vatom} apply ${paths.map(shellWord).join(' ')} ${here}`]}
        />
      )}
    </section>
  )
}

/** Whether a record differs from its document, as far as they were compared, or the document is not valid. */
function isListed(row: unknown): boolean {
  const status = at(row, 'status')
  return isWithheld(row) || (status === 'not_sent' ? at(row, 'action') !== undefined : status !== 'unchanged')
}

/** Whether a row is of a document, not of a file or folder that cannot be read. */
const isDocument = (row: unknown): boolean => !listAt(row, 'problems').some((one) => at(one, 'rule') === 'input')

/** Whether a draft stays one, although its document publishes it. */
const isWithheld = (row: unknown): boolean => at(row, 'withheld') === true

function headlineOf(plan: unknown): string {
  const count = (name: string) => Number(at(plan, 'summary', name) ?? 0)
  const counts = (words: Readonly<Record<string, string>>) =>
    Object.entries(words).flatMap(([name, text]) => (count(name) > 0 ? [`${count(name)} ${text}`] : []))
  const unlisted = listAt(plan, 'unlisted').length
  const documents = counts(ofDocuments).join(', ')
  const total = plural(count('total'), 'document')
  const refused = listAt(plan, 'results').filter((row) => at(row, 'status') === 'invalid')
  const invalid = refused.filter(isDocument).length
  const unread = refused.length - invalid
  if (unread > 0) return `${plural(unread, 'path')} cannot be read: nothing is compared until that is corrected`
  if (invalid > 0) return `${invalid} of ${total} not valid: nothing is compared until that is corrected`
  if (at(plan, 'error') !== undefined && documents === '') return 'Nothing was compared'
  return [
    `${total}: ${documents || 'the service is as these files say'}`,
    ...counts(ofRecords),
    ...(unlisted > 0 ? [`${plural(unlisted, 'record')} in no file`] : []),
  ].join('; ')
}

/** How a plan counts its documents, each once. */
const ofDocuments: Readonly<Record<string, string>> = {
  create: 'to create',
  update: 'to change',
  publish_only: 'to publish',
  refuse: 'that would be refused',
  unchanged: 'unchanged',
}

/** What it counts of their records. */
const ofRecords: Readonly<Record<string, string>> = {
  take_over: 'to take over',
  unlabelled: 'whose catalog is to be recorded',
  withheld: 'would be published with --publish',
}

/** A document, and how its record differs. */
const Difference = ({ row }: { readonly row: unknown }) => (
  <>
    <p>
      <span class="tag">{textAt(row, 'action') || textAt(row, 'status')}</span> {isDocument(row) && textAt(row, 'kind')}{' '}
      <strong>{textAt(row, 'name')}</strong> <span class="muted">{textAt(row, 'file')}</span>
    </p>
    <ul>
      {listAt(row, 'changes').map((change) => (
        <li key={textAt(change, 'path')}>
          <ChangedField
            path={textAt(change, 'path')}
            before={valueText(at(change, 'before'))}
            after={valueText(at(change, 'after'))}
          />
        </li>
      ))}
      {reasonsOf(row).map((reason, index) => (
        <li key={`${index} ${textAt(reason, 'message')}`}>
          <Reason reason={reason} />
        </li>
      ))}
      {isWithheld(row) && <li>not published: that takes --publish</li>}
    </ul>
  </>
)

/** A problem, where it is, and what to do about it. */
const Reason = ({ reason }: { readonly reason: unknown }) => (
  <>
    {placeOf(reason)}
    {textAt(reason, 'message')}
    {textAt(reason, 'hint') !== '' && <div class="muted">hint: {textAt(reason, 'hint')}</div>}
  </>
)

/** The problems of a document, and why it would be refused, where no problem says that already. */
function reasonsOf(row: unknown): readonly unknown[] {
  const problems = listAt(row, 'problems')
  const why = at(row, 'error')
  const isSaid = why === undefined || problems.some((problem) => at(problem, 'message') === at(why, 'message'))
  return isSaid ? problems : [...problems, why]
}

/** What a problem is, and its line, where it has one. Why a document would be refused has no severity. */
function placeOf(reason: unknown): string {
  const line = textAt(reason, 'line')
  const words = [textAt(reason, 'severity'), line && `line ${line}`].filter(Boolean)
  return words.length > 0 ? `${words.join(', ')}: ` : ''
}

/** A value as a text; undefined for none. */
const valueText = (value: unknown): string | undefined => (typeof value === 'string' ? value : JSON.stringify(value))
