import { basename, join, resolve } from 'node:path'
import { template as templateKind } from '../../../contract/kinds/template.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { projectFileName } from '../../../contract/values.ts'
import type { Rewrite } from '../../../documents/edit/rewrite.ts'
import type { Problem } from '../../../documents/load/loaded.ts'
import { withoutCommands } from '../../../documents/report/log-commands.ts'
import { realPathOf } from '../../../file-system.ts'
import { holdsAbandoned, sweep } from '../../../whole-file.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { shellWord, styled } from '../../io/text.ts'
import { editorFolder, editorSchemas } from '../../kinds/editor.ts'
import { finishRows, type Row } from '../../kinds/results.ts'
import { writeAll } from '../../kinds/rewriting.ts'
import { givenName, typedName } from '../../kinds/short-name.ts'
import { signedInPublisher } from '../../service/publisher.ts'
import { projectFile } from '../project-file.ts'
import { choiceOf } from './choices.ts'
import { withoutDuplicateFaces } from './documents.ts'
import { earlierVersions, noteEarlier } from './earlier-versions.ts'
import { type Folder, readCatalog, refuseAbove, refuseTwice, textAt } from './existing-catalog.ts'
import { noteForeign, noteLeftOut, owningOf, takingAll } from './other-catalogs.ts'
import { pullCommand } from './pull-command.ts'
import { type PulledCatalog, type PulledDocument, type PulledFile, pulledCatalog } from './pulled-files.ts'
import { readFamilies } from './read-service.ts'
import { refuseWithin } from './within-catalog.ts'

export interface PullOptions {
  readonly template?: readonly string[]
  readonly keepPublisher?: boolean
  readonly yes?: boolean
  readonly force?: boolean
  readonly diff?: boolean
  readonly allCatalogs?: boolean
  readonly allVersions?: boolean
}

/** Makes a catalog say what the service has, all of it or nothing. */
export async function pull(dir: string, options: PullOptions, context: Context): Promise<void> {
  if (options.diff) context.startDryRun()
  const connection = await context.connect()
  const publisher = await signedInPublisher(context)
  const wanted = await wantedTemplates(options.template ?? [], context)
  const folder = { dir, cwd: context.host.cwd, publisher }
  const within = realPathOf(resolve(folder.cwd, dir))
  await refuseWithin(dir, options, context)
  const existing = await readCatalog(folder, context)
  refuseAbove(existing, folder, options)
  const [fault] = existing.unreadable
  if (fault && !options.force) throw unreadable(fault, dir)
  const read = await readFamilies(connection.client, publisher, wanted, context)
  const earlier =
    options.allVersions || wanted.length > 0 ? new Set<string>() : earlierVersions(read.families, existing.documents)
  const wantedFamilies = read.families.filter(({ name }) => !earlier.has(name))
  const families = wantedFamilies.map((family) => withoutDuplicateFaces(family, context))
  const takesAll = options.allCatalogs || wanted.length > 0
  const owning = await (takesAll ? takingAll : owningOf)(folder, existing, context)
  const catalogWithout = (left: ReadonlySet<string>) =>
    pulledCatalog({ ...read, families }, existing, {
      ...{ ...folder, owning, left, isNarrowed: wanted.length > 0 },
      keepPublisher: options.keepPublisher === true,
      replaced: new Set(existing.unreadable.map(({ file }) => file)),
    })
  const whole = catalogWithout(new Set())
  const { refusal, left } = await choiceOf(whole, options, dir, context)
  const catalog = left.size > 0 ? catalogWithout(left) : whole
  if (refusal === undefined) await write(catalog, { ...folder, within }, context)
  warnOf(catalog, context)
  const command = pullCommand(dir, options)
  noteLeftOut(catalog.leftOut, command, context)
  if (refusal === undefined)
    noteForeign(
      catalog.documents.filter(({ status }) => status in verbs),
      context,
    )
  noteEarlier(earlier, command, context)
  if (read.families.length === 0) context.output.note(`${publisher} has no templates.`)
  if (options.diff) await showDiff(catalog.files, context)
  await finishRows(
    catalog.documents.map((one) => rowOf(one, refusal, { dryRun: context.dryRun, isShown: !options.diff })),
    { format: 'text', ...(refusal ? { refusal } : catalog.documents.length > 0 && { total: totalOf(catalog) }) },
    context.output,
  )
}

/** The whole names of the templates that were named, which may be given by a part. */
async function wantedTemplates(given: readonly string[], context: Context): Promise<string[]> {
  const names: string[] = []
  for (const name of given) names.push(await givenName(typedName(templateKind, name, context), context))
  return names
}

const unreadable = ({ file, line, message }: Problem, dir: string) =>
  new Failure('invalid_documents', exit.invalid, `${placeText(file, line)}: ${message}; nothing was written`, {
    hint: `correct it, so that pull knows what the catalog has: vatom validate ${shellWord(dir)}${orReplaced(file)}`,
  })

/** What describes the catalog is on no service. */
const orReplaced = (file: string) =>
  basename(file) === projectFileName ? '' : '; or pull without what it has, with --force'

const placeText = (file: string, line: number | undefined) => (line === undefined ? file : `${file}:${line}`)

/**
 * Writes the files that change; beside new files, and those that a killed run was writing, also what is missing of the
 * schemas for editors and the vatom.yaml.
 */
async function write(
  { files, documents }: PulledCatalog,
  folder: Folder & Pick<Rewrite, 'within'>,
  context: Context,
): Promise<void> {
  const root = resolve(folder.cwd, folder.dir)
  const unfinished = [root, join(root, editorFolder)].filter(holdsAbandoned)
  if (files.length === 0 && unfinished.length === 0) return
  context.host.signal.throwIfAborted()
  // The names of new files are chosen by now: what another run writes from here on has the same ones, and is not replaced.
  const created = new Set(documents.flatMap(({ status, key }) => (status === 'created' ? [key] : [])))
  const refuseCreated = () => refuseTwice(created, folder, context)
  await refuseCreated()
  const isNew = unfinished.length > 0 || files.some(({ before }) => before === undefined)
  const shared = isNew ? { ...projectFile(root), ...(await editorSchemas()) } : {}
  const missing = Object.entries(shared)
    .map(([name, after]) => ({ file: join(folder.dir, name), before: undefined, after }))
    .filter(({ file }) => textAt(file, folder) === undefined)
  // What comes first is put in place last. The vatom.yaml makes the folder a catalog of its own, to which what a killed
  // run did not write would seem not to belong.
  const { within } = folder
  await writeAll(
    [...missing, ...files].map((one) => ({ ...one, within })),
    context,
  ).catch(async (error: unknown) => {
    await refuseCreated()
    throw error
  })
  if (!context.dryRun) for (const one of unfinished) sweep(one)
  const project = missing.find(({ file }) => basename(file) === projectFileName)
  if (project)
    context.output.note(
      styled`${context.dryRun ? 'Would write' : 'Wrote'} ${project.file}, which names a catalog: what is applied from this folder belongs to that catalog`,
    )
}

/**
 * The changed lines of files, so that other tools can apply them as a patch: byte for byte, unless the log of a pipeline
 * would take some for commands. A terminal shows nothing of how lines end.
 */
async function showDiff(files: readonly PulledFile[], { output, host }: Context): Promise<void> {
  if (output.json) return
  const { lineDiff } = await import('../../io/line-diff.ts')
  const lines = files.flatMap(({ file, before, after }) => lineDiff(file, before, after))
  const text = lines.map((line) => `${line}\n`).join('')
  const patch = withoutCommands(host.env)(text)
  if (patch !== text)
    output.warn('the log of this pipeline takes some of the lines for commands: they are escaped, and no patch')
  output.raw(output.isTTY ? patch.replaceAll('\r\n', '\n') : patch)
}

/** Warns of what a pull does not mend, and notes what it did not expect. */
function warnOf({ documents, duplicates }: PulledCatalog, { output }: Context): void {
  for (const { first, other } of duplicates)
    output.warn(
      styled`${first.kind} ${first.name} is both in ${first.file.source.file} and in ${other.file.source.file}: remove one of them`,
    )
  for (const { kind, name, file } of documents.filter(({ status }) => status === 'not_on_service'))
    output.note(styled`${kind} ${name} (${file}) is not on the service`)
}

const verbs = { created: ['Wrote', 'write'], updated: ['Changed', 'change'] } as const

function rowOf(
  { kind, name, file, status, changes, catalog }: PulledDocument,
  refusal: Failure | undefined,
  { dryRun, isShown }: { readonly dryRun: boolean; readonly isShown: boolean },
): Row {
  const row = {
    file,
    kind,
    name,
    problems: [],
    ...(changes.length > 0 && { changes }),
    ...(catalog !== undefined && { catalog }),
  }
  const what = `${kind} ${name} (${file})`
  if (status === 'left') return { ...row, status, message: `Left ${what} as it is`, printed: null }
  if (status === 'unchanged') return { ...row, status, message: `Unchanged ${what}`, printed: null }
  if (status === 'not_on_service') return { ...row, status, message: `Not on the service: ${what}`, printed: null }
  if (refusal && status === 'updated')
    return { ...row, status: 'refused', message: `${what} differs`, failure: refusal }
  if (refusal) return { ...row, status: 'not_sent', message: 'not written', failure: refusal }
  const [done, verb] = verbs[status]
  const message = dryRun ? `Would ${verb} ${what}` : `${done} ${what}`
  // What changes in it was shown before.
  const printed = isShown ? message : null
  return { ...row, status, message, printed, ...(dryRun && { would: status }) }
}

/** `12 documents: 1 changed, 2 new, 9 unchanged`. */
function totalOf({ documents }: PulledCatalog): string {
  const count = (status: PulledDocument['status']) => documents.filter((one) => one.status === status).length
  const parts = [
    [count('updated'), 'changed'],
    [count('created'), 'new'],
    [count('unchanged'), 'unchanged'],
    [count('left'), 'left as in the files'],
    [count('not_on_service'), 'not on the service'],
  ] as const
  const counts = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`)
  return `${plural(documents.length, 'document')}: ${counts.join(', ')}`
}
