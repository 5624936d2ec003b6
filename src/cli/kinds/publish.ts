import { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { Payload } from '../../contract/api/table.ts'
import type { Member } from '../../contract/rules/catalog.ts'
import type { Issue } from '../../contract/schema/issues.ts'
import { printPath } from '../../contract/schema/path.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { exit, Failure } from '../failure/failure.ts'
import { fullName } from '../service/publisher.ts'
import { gatePublication } from './gate.ts'

type Document = Readonly<Record<string, unknown>>

/** A kind of record that is a draft first and final once published. */
export interface Draft {
  readonly kind: 'template' | 'variation'
  /** The stored record as a document. */
  readonly read: (client: Client, name: string) => Promise<Document>
  /** The record and what is held against it: its template, its faces. */
  readonly related: (client: Client, name: string) => Promise<readonly Member[]>
  /** Fails for what cannot be published yet. */
  readonly check?: (client: Client, name: string, document: Document) => Promise<void>
  readonly publish: (client: Client, name: string) => Promise<Payload<'updateTemplate'>>
}

interface PublishOptions {
  readonly confirm?: string
  readonly acceptCharges?: boolean
}

/** `publish` of a noun. */
export const publishCommandFor = (draft: Draft, context: Context, run = publishDraft): Command =>
  new Command('publish')
    .summary(`publish a draft ${draft.kind}: final`)
    .argument('<name>', `the ${draft.kind}'s name; $publisher:: stands for your own domain`)
    .option('--confirm <name>', 'the name again, instead of typing it')
    .option('--accept-charges', 'accept the chain writes of an eth section on mainnet')
    .addOption(dryRunOption())
    .addHelpText('after', `\nExample:\n  vatom ${draft.kind} publish NAME --confirm NAME`)
    .action((name: string, options: PublishOptions) => run(draft, name, options, context))

/** Shows what becomes final, checks it, and publishes it for whoever gives its name again. Spec 3. */
async function publishDraft(draft: Draft, given: string, options: PublishOptions, context: Context): Promise<void> {
  const name = await fullName(given, context)
  const { client, place } = await context.connect()
  const document = await draft.read(client, name)
  refusePublished(draft.kind, name, document)
  await draft.check?.(client, name, document)
  await checkStored(draft, name, document, client, context)
  if (options.confirm !== undefined) await confirmName(draft.kind, name, options.confirm, context)
  else context.prompt.needPerson(`The ${draft.kind}'s name`, `--confirm ${name}`)
  await context.announce()
  await showFinal(document, place, context)
  await gatePublication(document.eth, options.acceptCharges, context)
  if (options.confirm === undefined) await askName(draft.kind, name, context)
  const payload = await would(`publish ${draft.kind} ${name} on ${place}, which is final`, draft.publish(client, name))
  context.output.result(payload, () => [`Published ${draft.kind} ${name} on ${place}; it is final now`])
}

/** The hint for a variation that is to be published before its template. */
export const publishFirst = (template: string): string =>
  `publish the template first: vatom template publish ${template} --confirm ${template}`

/** Fails for what is published already. */
function refusePublished(kind: Draft['kind'], name: string, { unpublished }: Document): void {
  if (unpublished !== false) return
  throw new Failure('published', exit.refused, `The ${kind} ${name} is published already`, {
    hint: 'what is published is final',
  })
}

/**
 * Runs every check on what is about to become final, and says what its faces make doubtful. Fields a newer service adds
 * to its records are no errors.
 */
async function checkStored(
  { kind, related }: Draft,
  name: string,
  document: Document,
  client: Client,
  { output }: Context,
): Promise<void> {
  const [{ documentIssues }, { relatedIssues }] = await Promise.all([
    import('../../documents/load/document-issues.ts'),
    import('./publish-checks.ts'),
  ])
  const own = documentIssues(kind, document, {}).filter(({ rule }) => rule !== 'unknown-field')
  refuseInvalid(kind, own)
  const others = relatedIssues(await related(client, name))
  refuseInvalid(kind, others)
  for (const { message, severity } of [...own, ...others]) if (severity === 'warning') output.warn(message)
}

function refuseInvalid(kind: Draft['kind'], found: readonly Pick<Issue, 'severity' | 'path' | 'message'>[]): void {
  const errors = found.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  const issues = errors.map(({ path, message }) => ({ path: printPath(path), message }))
  const message = `The stored ${kind} is not valid; nothing was published`
  throw new Failure('invalid_documents', exit.invalid, message, { issues })
}

async function showFinal({ unpublished: _, ...document }: Document, place: string, { output }: Context): Promise<void> {
  const { yamlLines } = await import('../io/yaml.ts')
  output.complain([`This becomes final on ${place}:`, ...yamlLines(document).map((line) => `  ${line}`)])
}

const askName = async (kind: Draft['kind'], name: string, context: Context) =>
  confirmName(
    kind,
    name,
    await context.prompt.retyped(`Publishing is final. Type the ${kind}'s name`, '--confirm', name),
    context,
  )

/** Wants the name of what becomes final, typed or given with --confirm. */
async function confirmName(kind: Draft['kind'], name: string, given: string, context: Context): Promise<void> {
  if ((await fullName(given, context)) === name) return
  throw new Failure('usage', exit.usage, `${given} is not the name of the ${kind}; nothing was published`, {
    hint: `the name is ${name}`,
  })
}
