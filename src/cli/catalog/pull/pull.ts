import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { styled } from '../../io/text.ts'
import { editorSchemas } from '../../kinds/editor.ts'
import { finishRows, type Row } from '../../kinds/results.ts'
import { writeAll } from '../../kinds/rewriting.ts'
import { fullName, signedInPublisher } from '../../service/publisher.ts'
import { type Beside, besideOf } from './beside.ts'
import { catalogFiles } from './catalog-files.ts'
import { withoutDoubles } from './doubles.ts'
import { type Place, placed, textAt } from './places.ts'
import { readState } from './read-service.ts'

export interface PullOptions {
  readonly template?: readonly string[]
  readonly keepPublisher?: boolean
  readonly force?: boolean
}

/** Writes what the publisher has on the service, all of it or none. */
export async function pull(dir: string, options: PullOptions, context: Context): Promise<void> {
  const connection = await context.connect()
  const publisher = await signedInPublisher(connection)
  const wanted = await Promise.all((options.template ?? []).map((name) => fullName(name, context)))
  const state = await readState(connection.client, publisher, wanted, context)
  const families = state.families.map((family) => withoutDoubles(family, context))
  const files = catalogFiles({ ...state, families }, { publisher, keepPublisher: options.keepPublisher === true })
  const where = { dir, cwd: context.host.cwd, publisher }
  const places = files.map((file) => placed(file, where))
  const refusal = await refusalOf(places, options, context)
  if (refusal === undefined) await write(dir, places, context)
  tellBeside(places, besideOf(places, where), wanted.length > 0, context)
  if (files.length === 0) context.output.note(`No templates of ${publisher}.`)
  await finishRows(
    places.flatMap((place) => rowsOf(place, refusal, context)),
    'text',
    context.output,
  )
}

/** Writes what differs, and of the schemas for editors those that are missing. */
async function write(dir: string, places: readonly Place[], context: Context): Promise<void> {
  if (places.length === 0) return
  const { signal, cwd } = context.host
  signal.throwIfAborted()
  const schemas = Object.entries(await editorSchemas()).map(([name, after]) => ({ file: join(dir, name), after }))
  const missing = schemas.filter(({ file }) => textAt(file, { dir, cwd }) === undefined)
  const changed = places.filter(({ status }) => status !== 'unchanged')
  await writeAll(
    [
      ...changed.map(({ file, before, text }) => ({ file, before, after: text })),
      ...missing.map((schema) => ({ ...schema, before: undefined })),
    ],
    context,
  )
}

/** Why nothing is written: files in the way that may not be replaced. */
async function refusalOf(
  places: readonly Place[],
  { force }: PullOptions,
  { prompt }: Context,
): Promise<Failure | undefined> {
  const inTheWay = places.filter(({ status }) => status === 'updated').map(({ file }) => file)
  if (inTheWay.length === 0 || force) return undefined
  const { nameList } = await import('../../../contract/schema/suggest.ts')
  const what = `${nameList(inTheWay)} ${inTheWay.length === 1 ? 'says' : 'say'} something else`
  if (prompt.canAsk() && (await prompt.confirm(`${what}. Replace?`, '--force', undefined))) return undefined
  return new Failure('file_exists', exit.refused, `${what}; nothing was written`, {
    hint: 'replace what is there with --force, or choose another folder',
  })
}

/** A row for each document. */
const rowsOf = (place: Place, refusal: Failure | undefined, { dryRun }: Context): Row[] =>
  place.documents.map(({ kind, name }) => ({
    file: place.file,
    kind,
    name,
    problems: [],
    ...outcomeOf(place, `${kind} ${name} (${place.file})`, refusal, dryRun),
  }))

const verbs = { created: ['Wrote', 'write'], updated: ['Replaced', 'replace'] } as const

function outcomeOf(
  { file, status }: Place,
  what: string,
  refusal: Failure | undefined,
  dryRun: boolean,
): Pick<Row, 'status' | 'message' | 'would' | 'failure'> {
  if (status === 'unchanged') return { status, message: `Unchanged ${what}` }
  const [done, verb] = verbs[status]
  if (refusal === undefined)
    return dryRun
      ? { status: 'unchanged', message: `Would ${verb} ${what}`, would: status }
      : { status, message: `${done} ${what}` }
  return status === 'updated'
    ? { status: 'refused', message: `${file} says something else`, failure: refusal }
    : { status: 'not_sent', message: 'not written', failure: refusal }
}

/** Tells of documents in other files: those that are pulled, too, and, of a whole catalog, those that are not. */
function tellBeside(
  places: readonly Place[],
  beside: readonly Beside[],
  isNarrowed: boolean,
  { output }: Context,
): void {
  const homes = new Map(
    places.flatMap(({ file, documents }) => documents.map(({ kind, name }) => [`${kind} ${name}`, file])),
  )
  for (const { file, kind, name } of beside) {
    const home = homes.get(`${kind} ${name}`)
    if (home !== undefined) output.warn(styled`${kind} ${name} is in ${file}, too, beside ${home}: keep one of them`)
    else if (!isNarrowed) output.note(styled`${kind} ${name} (${file}) is not on the service`)
  }
}
