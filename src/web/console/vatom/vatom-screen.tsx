import { useComputed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { ConsoleRequest } from '../../../contract/console.ts'
import { readablePath } from '../requests/filter.ts'
import { nameOf } from '../service/people.ts'
import { requests } from '../service/requests.ts'
import { isConfirmed } from '../shell/confirmed.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { namePage } from '../shell/page-title.ts'
import { Empty, Outcome, Problem } from '../shell/problem.tsx'
import { linkTo } from '../shell/route.ts'
import { clockText } from '../shell/time-text.ts'
import { useAttempt } from '../shell/use-attempt.ts'
import { ActionForm, Choices } from './action-form.tsx'
import { ChangedField } from './changed-field.tsx'
import { FaceRow } from './face-row.tsx'
import { type Found, isFolder, isForbidden, propertyText, titleOf } from './found.ts'
import { leavesOf } from './leaves.ts'
import { Resources } from './resources.tsx'
import { type Moment, trashing, type WatchedVatom, watchVatom } from './watched-vatom.ts'
import { useWebFaceActions, WebFaceNote } from './web-face-actions.tsx'
import { WhoSees } from './who-sees.tsx'

interface VatomScreenProps {
  /** Who looks at it, and acts. */
  readonly user: string
  readonly id: string
}

/** A vAtom with its faces, actions and fields, as a user sees it. */
export function VatomScreen({ user, id }: VatomScreenProps) {
  const vatom = useMemo(() => watchVatom(user, id), [user, id])
  useEffect(() => vatom.close, [vatom])
  const found = vatom.found.value
  namePage(typeof found === 'object' ? titleOf(found) : 'vAtom')
  return (
    <div class="page">
      <nav aria-label="Path" class="path-line">
        <a href={linkTo('users')}>Users</a>
        <a href={linkTo('users', user)}>{nameOf(user)}</a>
        <span aria-current="page">{typeof found === 'object' ? titleOf(found) : id}</span>
      </nav>
      {vatom.problem.value !== undefined && <Problem>{vatom.problem.value}</Problem>}
      {found === 'missing' && (
        <Empty title="This user sees no vAtom with this id">
          <p>It does not exist, or is neither theirs nor public. Look as another user:</p>
          <SeenAs user={user} id={id} />
        </Empty>
      )}
      {typeof found === 'object' && <Shown user={user} vatom={vatom} found={found} />}
    </div>
  )
}

interface ShownProps {
  readonly user: string
  readonly vatom: WatchedVatom
  readonly found: Found
}

function Shown({ user, vatom, found }: ShownProps) {
  const owner = propertyText(found, 'owner')
  const webFaces = useWebFaceActions(vatom, found.id)
  const isTrashed = vatom.moments.value[0]?.what === trashing
  return (
    <>
      <div class="tools heading">
        <h2>{titleOf(found)}</h2>
        {isFolder(found) && <a href={`${linkTo('users', user)}?in=${encodeURIComponent(found.id)}`}>What is in it</a>}
        <SeenAs user={user} id={found.id} />
      </div>
      <dl class="facts">
        <Fact name="id">
          <code>{found.id}</code> <CopyButton label="Copy" text={() => found.id} />
        </Fact>
        <Fact name="variation">
          <code>{propertyText(found, 'template_variation')}</code>
        </Fact>
        <Fact name="owner">
          <a href={linkTo('users', owner, 'vatom', found.id)}>{nameOf(owner)}</a>
        </Fact>
      </dl>
      {vatom.isGone.value && (
        <p class="notice" role="status">
          {isTrashed ? 'This vAtom was trashed' : `${nameOf(user)} no longer sees this vAtom`}. It is shown as it was
          {!isTrashed && '; to see it now, look as another user'}.
        </p>
      )}
      <FaceRow
        vatom={found.vatom}
        faces={found.faces}
        contents={vatom.contents.value}
        onMessage={webFaces.onMessage}
        note={<WebFaceNote found={found} user={user} actions={webFaces} />}
      />
      {!vatom.isGone.value && <Actions vatom={vatom} found={found} />}
      <Resources vatom={found.vatom} />
      <History vatom={vatom} id={found.id} />
      <Fields found={found} />
    </>
  )
}

interface FactProps {
  readonly name: string
  readonly children: ComponentChildren
}
const Fact = ({ name, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** Looks at a vAtom as another user. */
const SeenAs = ({ user, id }: VatomScreenProps) => (
  <WhoSees
    label="Seen as"
    user={user}
    choose={(other) => {
      location.hash = linkTo('users', other, 'vatom', id)
    }}
  />
)

function Actions({ vatom, found }: Omit<ShownProps, 'user'>) {
  const removal = useAttempt()
  const forbidden = found.actions.filter((action) => isForbidden(found, action))
  const offered = found.actions.filter((action) => !forbidden.includes(action))
  const trash = () => {
    if (isConfirmed(`Trash ${titleOf(found)}? It cannot be taken back.`)) void removal.attempt(vatom.trash)
  }
  return (
    <section aria-label="Actions">
      <h3>Actions</h3>
      <Choices />
      {found.actions.length === 0 && (
        <p class="muted">
          Its template has no actions. <code>vatom help reactors</code> lists those that can be registered.
        </p>
      )}
      <div class="actions">
        {offered.map((action) => (
          <ActionForm key={action.name} action={action} title={titleOf(found)} vatom={vatom} />
        ))}
      </div>
      {forbidden.map(({ name, permit }) => (
        <p key={name} class="muted">
          {name} is not offered: this vAtom is not {permit?.property}.
        </p>
      ))}
      <button type="button" onClick={trash}>
        Trash
      </button>
      <Outcome of={removal} />
    </section>
  )
}

/** What the page itself asks to show a vAtom and what is in it. */
const reads = /\/vatom\/(get|inventory)$/

/** Whether the console sent a request without changing anything. */
const isOwnRead = ({ console: isConsole, method, path, dry_run: isDry }: ConsoleRequest): boolean =>
  isConsole === true && (isDry === true || method === 'GET' || reads.test(path))

/** Requests whose answers name what they made or changed: an emission, an action. */
const makes = /^\/v1\/(vatoms|user\/vatom\/action\/[^/]+)$/

/** Whether a request was about a vAtom: it, or the answer to a change, names its id. */
const names = ({ method, path, sent, answered }: ConsoleRequest, id: string): boolean =>
  path.includes(id) ||
  sent?.text.includes(id) === true ||
  (method === 'POST' && makes.test(path) && answered?.text.includes(id) === true)

/** What changed while the page was open, and the requests that named the vAtom. */
function History({ vatom, id }: { readonly vatom: WatchedVatom; readonly id: string }) {
  const named = useComputed(() => requests.value.filter((request) => names(request, id) && !isOwnRead(request)))
  return (
    <section aria-label="History">
      <h3>History</h3>
      {vatom.moments.value.length === 0 && named.value.length === 0 && (
        <p class="muted">Nothing has changed since this page was opened, and no request in the journal names it.</p>
      )}
      <ol class="moments">
        {vatom.moments.value.map((moment) => (
          <li key={moment.when.getTime()}>
            <MomentLine moment={moment} />
          </li>
        ))}
      </ol>
      {named.value.length > 0 && (
        <ul class="named">
          {named.value
            .slice(-20)
            .reverse()
            .map(({ seq, method, path, status, operation, dry_run, when }) => (
              <li key={seq}>
                <a href={`${linkTo('requests')}?seq=${seq}`}>
                  {status ?? 'dropped'} {method} {operation === 'performAction' ? actionIn(path) : (operation ?? path)}
                </a>{' '}
                {dry_run && <span class="tag">dry run</span>}{' '}
                <time class="muted" dateTime={when}>
                  {clockText(when)}
                </time>
              </li>
            ))}
        </ul>
      )}
    </section>
  )
}

/** The action that a request performs. */
const actionIn = (path: string) => readablePath(path).split('/').at(-1)?.split('?')[0] ?? path

const MomentLine = ({ moment: { when, what, changes } }: { readonly moment: Moment }) => (
  <>
    <p>
      <strong>{what || 'Changed by another client'}</strong>{' '}
      <time class="muted" dateTime={when.toISOString()}>
        {clockText(when)}
      </time>
    </p>
    <ul>
      {changes.map((change) => (
        <li key={change.path}>
          <ChangedField {...change} />
        </li>
      ))}
    </ul>
  </>
)

const Fields = ({ found }: { readonly found: Found }) => (
  <details class="fields">
    <summary>Fields</summary>
    <table>
      <tbody>
        {[...leavesOf(found.vatom)].map(([path, value]) => (
          <tr key={path}>
            <th scope="row">
              <code>{path}</code>
            </th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
)
