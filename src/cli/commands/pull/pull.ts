import { join } from 'node:path'
import { identity } from '../../../contract/face-family.ts'
import { at } from '../../../contract/path.ts'
import type { Context } from '../../context.ts'
import { editorSchemas } from '../../documents/editor.ts'
import { finishRows, type Row } from '../../documents/results.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { styled } from '../../output/text.ts'
import { fullName, signedInPublisher } from '../../service/publisher.ts'
import { catalogFiles } from './files.ts'
import { type Place, placed, write } from './places.ts'
import { type Family, readState } from './read.ts'

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
  for (const family of state.families) warnOfAlike(family, context)
  const files = catalogFiles(state, { publisher, keepPublisher: options.keepPublisher === true })
  const places = files.map((file) => placed(file, { dir, cwd: context.host.cwd, publisher }))
  const refusal = await refusalOf(places, options, context)
  if (refusal === undefined) await writeAll(dir, places, context)
  if (files.length === 0) context.output.note(`No templates of ${publisher}.`)
  await finishRows(
    places.flatMap((place) => rowsOf(place, refusal)),
    'text',
    context.output,
  )
}

async function writeAll(dir: string, places: readonly Place[], { host }: Context): Promise<void> {
  if (places.length === 0) return
  host.signal.throwIfAborted()
  const schemas = Object.entries(await editorSchemas()).map(([name, text]) => ({ file: join(dir, name), text }))
  await write(places, schemas, host.cwd)
}

/** Why nothing is written: files in the way that may not be replaced. */
async function refusalOf(
  places: readonly Place[],
  { force }: PullOptions,
  { prompt }: Context,
): Promise<Failure | undefined> {
  const inTheWay = places.filter(({ status }) => status === 'updated').map(({ file }) => file)
  if (inTheWay.length === 0 || force) return undefined
  const { nameList } = await import('../../../contract/suggest.ts')
  const what = `${nameList(inTheWay)} ${inTheWay.length === 1 ? 'says' : 'say'} something else`
  if (prompt.canAsk() && (await prompt.confirm(`${what}. Replace?`, '--force', undefined))) return undefined
  return new Failure('file_exists', exit.refused, `${what}; nothing was written`, {
    hint: 'replace what is there with --force, or choose another folder',
  })
}

const done = { created: 'Wrote', updated: 'Replaced', unchanged: 'Unchanged' } as const

/** A row for each document. */
const rowsOf = ({ file, status, documents }: Place, refusal: Failure | undefined): Row[] =>
  documents.map(({ kind, name }) => {
    const subject = { file, kind, name, problems: [] }
    if (status === 'unchanged' || refusal === undefined)
      return { ...subject, status, message: `${done[status]} ${kind} ${name} (${file})` }
    return status === 'updated'
      ? { ...subject, status: 'refused', message: `${file} says something else`, failure: refusal }
      : { ...subject, status: 'not_sent', message: 'not written', failure: refusal }
  })

/** Faces that only their ids tell apart are all written; an update from files cannot tell which is meant. */
function warnOfAlike({ template, faces }: Family, { output }: Context): void {
  const counts = new Map<string, number>()
  for (const { properties } of faces) {
    const viewers = identity.map((key) => String(at(properties, 'constraints', key))).join(', ')
    counts.set(viewers, (counts.get(viewers) ?? 0) + 1)
  }
  for (const [viewers, count] of counts)
    if (count > 1)
      output.warn(
        styled`${template.name} has ${count} faces for ${viewers}: all are written, and only their ids tell them apart`,
      )
}
