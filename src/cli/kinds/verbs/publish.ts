import { isDeepStrictEqual } from 'node:util'
import { Command, Option } from 'commander'
import type { Client } from '../../../client/client.ts'
import type { Kind } from '../../../contract/kinds/kind.ts'
import type { Member } from '../../../contract/rules/catalog.ts'
import type { Issue } from '../../../contract/schema/issues.ts'
import { printPath } from '../../../contract/schema/path.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { exit, Failure, usage } from '../../failure/failure.ts'
import { hinted } from '../../failure/hinted.ts'
import { shellWord } from '../../io/text.ts'
import type { Make } from '../../noun.ts'
import { localPorts } from '../../service/local-ports.ts'
import {
  acceptAddressesOption,
  acceptChargesOption,
  checkConfirmation,
  confirmPublication,
  type PublishOptions,
  type YesOption,
} from '../confirmations.ts'
import { missingRecord } from '../missing.ts'
import { publishRecord, readRecord } from '../requests.ts'
import { orDone, type Standing, whileAsBefore } from '../sending-again.ts'
import { givenName, nameHelp, typedName } from '../short-name.ts'

/** How drafts of a kind are checked before they are published. */
export interface Publication {
  readonly description: string
  /** The document that becomes final. */
  readonly documentOf: (record: Section) => Section
  /** The record and what it is checked against: its template, its faces. */
  readonly related: (client: Client, record: Section) => Promise<readonly Member[]>
  /** Fails for what cannot be published yet. */
  readonly check?: (client: Client, name: string, document: Section) => Promise<void>
}

/** `publish` of a kind. */
export const publishCommand =
  (kind: Kind, publication: Publication): Make =>
  (context) =>
    new Command('publish')
      .summary(`publish a draft ${kind.name}, which is final`)
      .description(publication.description)
      .argument('<name>', nameHelp(kind.name))
      .option('--confirm <name>', 'give the name again here, instead of typing it when asked')
      .addOption(acceptChargesOption())
      .addOption(acceptAddressesOption())
      .addOption(new Option('--yes').hideHelp())
      .addOption(dryRunOption())
      .addHelpText('after', `\nExample:\n  vatom ${kind.name} publish NAME --confirm NAME`)
      .action((name: string, options: PublishOptions & YesOption) => publish(kind, publication, name, options, context))

/** Checks a draft, shows what becomes final, and publishes it if its name is given again. Spec 3. */
async function publish(
  kind: Kind,
  publication: Publication,
  given: string,
  options: PublishOptions & YesOption,
  context: Context,
): Promise<void> {
  if (options.yes) throw usage('--yes does not confirm what is final', 'give the name again: --confirm NAME')
  const name = await givenName({ ...typedName(kind, given, context), isFinal: true }, context)
  const { client, place } = await context.connect()
  const record = await hinted(readRecord(client, kind, name), { notFound: missingRecord(client, kind, name) })
  const document = publication.documentOf(record)
  refusePublished(kind, name, document)
  await publication.check?.(client, name, document)
  await checkStored(kind, document, () => publication.related(client, record), context)
  await checkConfirmation(kind, name, options, context)
  await context.announce()
  await showFinal(document, place, context)
  await (await import('../cautions.ts')).warnOfCautions(kind, [{ name, value: document }], context)
  await confirmPublication(name, document, options, context)
  if (!isDeepStrictEqual(document, publication.documentOf(await readRecord(client, kind, name))))
    throw changedMeanwhile(kind, name)
  const what = `${kind.name} ${name} on ${place}`
  const read = () => readRecord(client, kind, name)
  const again = whileAsBefore(async () => standingOf(document, publication.documentOf(await read()), kind, name))
  const published = orDone(publishRecord(client, kind, { key: name }, {}, again), read)
  const payload = await would(`publish ${what}, which is final`, published)
  context.output.report(payload, () => [`Published ${what}; it is final now`])
}

/** What has become of a draft since a person was shown its document. */
function standingOf(shown: Section, now: Section, kind: Kind, name: string): Standing {
  if (isDeepStrictEqual(now, shown)) return 'as before'
  return isDeepStrictEqual(now, { ...shown, unpublished: false }) ? 'as sent' : changedMeanwhile(kind, name)
}

const changedMeanwhile = (kind: Kind, name: string) =>
  new Failure('changed_meanwhile', exit.refused, `The ${kind.name} ${name} was changed after you were shown it`, {
    undone: 'nothing was published',
    hint: `read it again: vatom ${kind.name} publish ${shellWord(name)}`,
  })

/** The hint for a variation whose template is still a draft. */
export const publishFirst = (template: string): string =>
  `publish the template first: vatom template publish ${shellWord(template)}`

function refusePublished(kind: Kind, name: string, { unpublished }: Section): void {
  if (unpublished !== false) return
  throw new Failure('published', exit.refused, `The ${kind.name} ${name} is already published`, {
    hint: 'what is published is final',
  })
}

/**
 * Runs every check on the stored record, and prints the warnings. Unknown fields are no errors: a newer service may have
 * added them.
 */
async function checkStored(
  kind: Kind,
  document: Section,
  related: () => Promise<readonly Member[]>,
  context: Context,
): Promise<void> {
  const { output } = context
  const [{ documentIssues }, { relatedIssues }] = await Promise.all([
    import('../../../documents/load/document-issues.ts'),
    import('../publish-checks.ts'),
  ])
  const own = documentIssues(kind.name, document, { localPorts: await localPorts(context) }).filter(
    ({ rule }) => rule !== 'unknown-field',
  )
  refuseInvalid(kind, own)
  const others = relatedIssues(await related())
  refuseInvalid(kind, others)
  const placed = own.map(({ path, message, severity }) => ({ severity, message: `${printPath(path)}: ${message}` }))
  for (const { message, severity } of [...placed, ...others]) if (severity === 'warning') output.warn(message)
}

function refuseInvalid(kind: Kind, found: readonly Pick<Issue, 'severity' | 'path' | 'message'>[]): void {
  const errors = found.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  const issues = errors.map(({ path, message }) => ({ path: printPath(path), message }))
  const message = `The stored ${kind.name} is not valid; nothing was published`
  throw new Failure('invalid_documents', exit.invalid, message, { issues })
}

async function showFinal({ unpublished: _, ...document }: Section, place: string, { output }: Context): Promise<void> {
  const { yamlLines } = await import('../../io/yaml.ts')
  output.complain([`This becomes final on ${place}:`, ...yamlLines(document).map((line) => `  ${line}`)])
}
