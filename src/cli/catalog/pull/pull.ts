import { join, resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { styled } from '../../io/text.ts'
import { editorSchemas } from '../../kinds/editor.ts'
import { finishRows, type Row } from '../../kinds/results.ts'
import { writeAll } from '../../kinds/rewriting.ts'
import { fullName, signedInPublisher } from '../../service/publisher.ts'
import { projectFile } from '../project-file.ts'
import { catalogFiles } from './catalog-files.ts'
import { withoutDuplicateFaces } from './documents.ts'
import { readFamilies } from './read-service.ts'
import { type ComparedFile, comparedFile, type Folder, otherDocuments, textAt } from './target-folder.ts'

export interface PullOptions {
  readonly template?: readonly string[]
  readonly keepPublisher?: boolean
  readonly force?: boolean
}

/** Writes the publisher's records on the service as a catalog, all of it or nothing. */
export async function pull(dir: string, options: PullOptions, context: Context): Promise<void> {
  const connection = await context.connect()
  const publisher = await signedInPublisher(connection)
  const wanted = await Promise.all((options.template ?? []).map((name) => fullName(name, context)))
  const read = await readFamilies(connection.client, publisher, wanted, context)
  const families = read.families.map((family) => withoutDuplicateFaces(family, context))
  const folder = { dir, cwd: context.host.cwd, publisher }
  const files = catalogFiles({ ...read, families }, { publisher, keepPublisher: options.keepPublisher === true }).map(
    (file) => comparedFile(file, folder),
  )
  const refusal = await refusalOf(files, options, context)
  if (refusal === undefined) await write(files, folder, context)
  reportOthers(files, folder, wanted.length > 0, context)
  if (files.length === 0) context.output.note(`${publisher} has no templates.`)
  await finishRows(
    files.flatMap((file) => rowsOf(file, refusal, context)),
    { format: 'text', ...(refusal && { refusal }) },
    context.output,
  )
}

/** Writes the files that differ, and what is missing of the schemas for editors and the vatom.yaml. */
async function write(files: readonly ComparedFile[], folder: Folder, context: Context): Promise<void> {
  if (files.length === 0) return
  context.host.signal.throwIfAborted()
  const shared = { ...(await editorSchemas()), ...projectFile(resolve(folder.cwd, folder.dir)) }
  const beside = Object.entries(shared).map(([name, after]) => ({ file: join(folder.dir, name), after }))
  const missing = beside.filter(({ file }) => textAt(file, folder) === undefined)
  const changed = files.filter(({ status }) => status !== 'unchanged')
  await writeAll(
    [
      ...changed.map(({ file, before, text }) => ({ file, before, after: text })),
      ...missing.map((one) => ({ ...one, before: undefined })),
    ],
    context,
  )
}

/** Why nothing is written: existing files differ and may not be replaced. */
async function refusalOf(
  files: readonly ComparedFile[],
  { force }: PullOptions,
  { prompt }: Context,
): Promise<Failure | undefined> {
  const different = files.filter(({ status }) => status === 'updated').map(({ file }) => file)
  if (different.length === 0 || force) return undefined
  const { nameList } = await import('../../../contract/schema/suggest.ts')
  const count = different.length === 1 ? '1 file differs' : `${different.length} files differ`
  const what = `${count}: ${nameList(different)}`
  if (prompt.canAsk() && (await prompt.confirm(`${what}. Replace?`, '--force', undefined))) return undefined
  return new Failure('file_exists', exit.refused, `${what}; nothing was written`, {
    hint: 'replace files with --force, or choose another folder',
  })
}

/** A row for each document of a file. */
const rowsOf = (file: ComparedFile, refusal: Failure | undefined, { dryRun }: Context): Row[] =>
  file.documents.map(({ kind, name }) => ({
    file: file.file,
    kind,
    name,
    problems: [],
    ...outcomeOf(file, `${kind} ${name} (${file.file})`, refusal, dryRun),
  }))

const verbs = { created: ['Wrote', 'write'], updated: ['Replaced', 'replace'] } as const

function outcomeOf(
  { file, status }: ComparedFile,
  what: string,
  refusal: Failure | undefined,
  dryRun: boolean,
): Pick<Row, 'status' | 'message' | 'would' | 'failure'> {
  if (status === 'unchanged') return { status, message: `Unchanged ${what}` }
  const [done, verb] = verbs[status]
  if (refusal && status === 'updated') return { status: 'refused', message: `${file} differs`, failure: refusal }
  if (refusal) return { status: 'not_sent', message: 'not written', failure: refusal }
  if (dryRun) return { status, message: `Would ${verb} ${what}`, would: status }
  return { status, message: `${done} ${what}` }
}

/** Reports documents in other files: duplicates of pulled ones and, if all was pulled, those that are not on the service. */
function reportOthers(files: readonly ComparedFile[], folder: Folder, isNarrowed: boolean, { output }: Context): void {
  const pulled = new Map(
    files.flatMap(({ file, documents }) => documents.map(({ kind, name }) => [`${kind} ${name}`, file])),
  )
  for (const { file, kind, name } of otherDocuments(files, folder)) {
    const first = pulled.get(`${kind} ${name}`)
    if (first !== undefined) output.warn(styled`${kind} ${name} is both in ${first} and in ${file}: remove one of them`)
    else if (!isNarrowed) output.note(styled`${kind} ${name} (${file}) is not on the service`)
  }
}
