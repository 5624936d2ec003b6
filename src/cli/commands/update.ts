import { Command, Option } from 'commander'
import type { Client } from '../../client/client.ts'
import { at, isObject } from '../../contract/schema/path.ts'
import { vatomTypeKey } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { type DryRunOption, dryRunOption } from '../dry-run/option.ts'
import { Would, would } from '../dry-run/would.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { seeList } from '../failure/hinted.ts'
import { toFailure } from '../failure/translate.ts'
import { collected } from '../io/option-values.ts'
import { checkValue } from '../kinds/load-checked.ts'
import { finishRows, type Row } from '../kinds/results.ts'
import { failedRow, notSent, stopsAll } from '../kinds/send.ts'
import { inParallel } from '../service/in-parallel.ts'
import { type FieldOptions, givenFields } from '../vatoms/given-fields.ts'
import { givenIds } from '../vatoms/given-ids.ts'
import { idLists, idsHelp, vatomId, vatomIds } from '../vatoms/vatom-id.ts'

interface UpdateOptions extends FieldOptions, DryRunOption {
  readonly folder?: string
}

export const command = (context: Context): Command =>
  new Command('update')
    .description('Change vAtoms that you own: move them into a folder, or out of it.')
    .argument('<id...>', idsHelp)
    .option('--folder <id>', 'the folder to move them into; . is the root')
    .addOption(
      new Option('-d, --field <key=value>', 'the same by the name of its field: parent_id=ID').argParser(collected),
    )
    .option('--data <file>', 'take the fields from a YAML or JSON file, or - for standard input; -d overrides it')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom update ID --folder FOLDER
  vatom update ID ID --folder .

Other properties of a vAtom are changed by actions: vatom act --help`,
    )
    .action((ids: string[], options: UpdateOptions) => update(ids, options, context))

async function update(given: readonly string[], options: UpdateOptions, context: Context): Promise<void> {
  const fields = await fieldsOf(options, context)
  await context.announce()
  const { client, place } = await context.connect()
  const ids = await vatomIds(await givenIds(given, context), client)
  const parent_id = await vatomId(fields.parent_id, client)
  const there = new Set(await alreadyIn(parent_id, ids, client))
  const rows: Row[] = []
  for (const some of idLists(ids.filter((id) => !there.has(id))))
    rows.push(...(await rowsOf(some, parent_id, rows, context)))
  const moved = new Map(rows.map((row) => [row.name, row]))
  const unmoved = `is already ${parent_id === '.' ? 'at the root' : `in ${parent_id}`} on ${place}`
  await finishRows(
    ids.map((id) => moved.get(id) ?? { ...subjectOf(id), status: 'unchanged', message: `vAtom ${id} ${unmoved}` }),
    { format: 'text' },
    context.output,
  )
}

const given = { noun: 'file of fields', texts: ['parent_id'] }

/** The fields to change, checked with the schema of the request. */
async function fieldsOf({ folder, ...options }: UpdateOptions, context: Context): Promise<{ parent_id: string }> {
  const fields = { ...(await givenFields(options, given, context)), ...(folder && { parent_id: folder }) }
  if (Object.keys(fields).length === 0) throw usage('No change given', 'name a folder: --folder ID, or --folder .')
  const other = Object.keys(fields).find((key) => key !== 'parent_id')
  if (other !== undefined)
    throw usage(
      `${other} cannot be changed by this command`,
      'it changes parent_id only; actions change other properties: vatom act --help',
    )
  if (rootWords.includes(String(fields.parent_id)))
    throw usage(`${fields.parent_id} is no id of a folder`, 'the root is written as a point: --folder .')
  const { VatomsUpdate } = await import('../../contract/api/vatom.ts')
  return checkValue(VatomsUpdate(), { ...fields, ids: ['*'] }, { parent_id: '--folder' })
}

/** Those that are where they are to be moved already; none where that cannot be read. */
async function alreadyIn(parent_id: string, ids: readonly string[], client: Client): Promise<string[]> {
  const lists = await inParallel(idLists(ids), async (some) => (await seen(some, client)) ?? [])
  const isThere = (vatom: unknown) => at(vatom, vatomTypeKey, 'parent_id') === parent_id
  return lists
    .flat()
    .filter(isThere)
    .map(({ id }) => String(id))
}

/** What the root may be called where it is meant. */
const rootWords = ['root', '/']

/** The results for the vAtoms of one request. */
async function rowsOf(
  ids: readonly string[],
  parent_id: string,
  before: readonly Row[],
  context: Context,
): Promise<Row[]> {
  const stopped = before.find(({ failure }) => failure && stopsAll(failure))?.failure
  if (stopped) return ids.map((id) => notSent(subjectOf(id), stopped))
  const { client, place } = await context.connect()
  const where = parent_id === '.' ? 'to the root' : `into ${parent_id}`
  try {
    const answer = await would('move', client.updateVatoms({ body: { ids: [...ids], parent_id } }))
    const rows = ids.map((id) =>
      rowOf(id, answer, { status: 'updated', message: `Moved vAtom ${id} ${where} on ${place}` }),
    )
    return await withHints(rows, parent_id, client)
  } catch (error) {
    if (!(error instanceof Would)) {
      const failure = await toFailure(error, context.host)
      return ids.map((id) => failedRow(subjectOf(id), 'failed', failure))
    }
    const { request, answer } = error
    const rows = ids.map((id) =>
      rowOf(id, answer ?? { ids }, {
        status: 'updated',
        message: `Would move vAtom ${id} ${where} on ${place}`,
        would: 'updated',
        ...(request && { request }),
      }),
    )
    return await withHints(rows, parent_id, client)
  }
}

/** Rows with the hint to list vAtoms, of those that were not moved and cannot be seen, or into something that cannot. */
async function withHints(rows: readonly Row[], parent_id: string, client: Client): Promise<Row[]> {
  const refused = rows.flatMap(({ name, failure }) => (failure ? [name] : []))
  if (refused.length === 0) return [...rows]
  const unseen = [
    ...(await unseenOf(refused, client)),
    ...(parent_id === '.' ? [] : await unseenOf([parent_id], client)),
  ]
  return rows.map((row) => {
    if (!row.failure || !(unseen.includes(row.name) || unseen.includes(parent_id))) return row
    const { code, exitCode, message } = row.failure
    return { ...row, failure: new Failure(code, exitCode, message, { hint: seeList('inventory') }) }
  })
}

/** Those that the caller cannot see; none where that cannot be read: the vAtoms are moved, or refused, in any case. */
async function unseenOf(ids: readonly string[], client: Client): Promise<string[]> {
  const vatoms = await seen(ids, client)
  return vatoms === undefined ? [] : ids.filter((id) => !vatoms.some((vatom) => vatom.id === id))
}

/** The vAtoms with some ids that the caller can see; undefined where that cannot be read. */
const seen = async (ids: readonly string[], client: Client) =>
  (await client.getVatoms({ body: { ids: [...ids] } }).catch(() => undefined))?.vatoms

const subjectOf = (id: string) => ({ file: null, kind: 'vatom', name: id, problems: [] }) as const

/** What became of a vAtom, or why the service did not change it. */
function rowOf(id: string, answer: unknown, done: Pick<Row, 'status' | 'message' | 'would' | 'request'>): Row {
  const moved = at(answer, 'ids')
  if (Array.isArray(moved) && moved.includes(id)) return { ...subjectOf(id), ...done }
  const reasons = at(answer, 'error_messages')
  const reason = isObject(reasons) && reasons[id] !== undefined ? String(reasons[id]) : 'the service did not change it'
  const failure = new Failure('not_updated', exit.refused, `vAtom ${id} was not moved: ${reason}`)
  return { ...subjectOf(id), status: 'refused', message: reason, failure }
}
