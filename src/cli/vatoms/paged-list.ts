import { type Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { pageNumber, wholeNumber } from '../io/option-values.ts'
import type { Output } from '../io/output.ts'
import { styled } from '../io/text.ts'
import { emptyText, isFollowed, type Place, unique } from '../service/every-page.ts'
import { ListSize } from '../service/list-size.ts'
import { newOnEachPage } from '../service/new-on-each-page.ts'
import { printVatoms, rowOf, type Vatom, type VatomColumns, vatomLines } from './vatom-table.ts'

/** How much of a list is printed: a page or all, and whether as lines of JSON. */
export interface PageOptions {
  readonly limit?: number
  readonly page?: number
  readonly all?: boolean
  readonly ndjson?: boolean
}

/** VAtoms per page: without --limit, at most, and where all are asked for. */
interface PageSize {
  readonly usual: number
  readonly most: number
  readonly ofAll: number
}

/** A page of vAtoms with the faces and actions of their templates. */
interface Answer {
  readonly faces: readonly Vatom[]
  readonly actions: readonly Vatom[]
}

/** A list of vAtoms that the service returns in pages. */
export interface PagedList<A extends Answer = Answer> {
  readonly size: PageSize
  readonly ask: (place: Place) => Promise<A>
  readonly vatomsOf: (answer: A) => readonly Vatom[]
  /** The fields of an answer that these vAtoms make up. */
  readonly fieldsOf: (vatoms: readonly Vatom[]) => object
  readonly columns: VatomColumns
}

/** Adds the options that say how much of a list is printed. */
export const addPageOptions = (command: Command, { usual, most }: PageSize): Command =>
  command
    .addOption(
      new Option('--limit <n>', `vAtoms per page (default: ${usual}; at most ${most}, as is 0)`).argParser(wholeNumber),
    )
    .addOption(new Option('--page <n>', 'page to show, from 1').argParser(pageNumber))
    .option('--all', 'show every page')
    .option('--ndjson', 'print each vAtom as a line of JSON; with --all page after page, in little memory')

/** Refuses options that exclude each other. */
export function checkPageOptions({ all, page, ndjson }: PageOptions, { json }: Output): void {
  if (all && page !== undefined) throw usage('--all excludes --page')
  if (ndjson && json) throw usage('--ndjson excludes --json', 'give one of them')
}

/** Prints a page of a list, or all of it. `has_more` and `next` of the JSON say whether there is another page. */
export const printList = <A extends Answer>(
  list: PagedList<A>,
  options: PageOptions,
  context: Pick<Context, 'host' | 'output'>,
): Promise<void> => (options.all ? printAll(list, options, context) : printPage(list, options, context.output))

async function printPage<A extends Answer>(list: PagedList<A>, options: PageOptions, output: Output): Promise<void> {
  const place = { limit: sizeOf(options.limit ?? list.size.usual, list.size), page: options.page || 1 }
  const answer = await list.ask(place)
  const vatoms = list.vatomsOf(answer)
  const following = async (at: Place) => list.vatomsOf(await list.ask(at))
  const next = (await isFollowed(following, vatoms, place, idOf)) ? place.page + 1 : null
  if (options.ndjson) vatoms.forEach(output.record)
  else await printVatoms({ ...answer, has_more: next !== null, next }, rowsOf(vatoms, list), list.columns, output)
  if (vatoms.length === 0) output.note(await emptyText('vAtoms found', following, place))
  if (options.limit !== undefined && options.limit > list.size.most)
    output.note(styled`A page has at most ${list.size.most} vAtoms`)
  const limit = place.limit === list.size.usual ? '' : `--limit ${place.limit} `
  if (next !== null) output.note(styled`There are more: ${limit}--page ${next}, or --all`)
}

const idOf = ({ id }: Vatom) => id
const sizeOf = (limit: number, { most }: PageSize) => Math.min(limit || most, most)

const rowsOf = <A extends Answer>(vatoms: readonly Vatom[], { columns }: PagedList<A>) =>
  vatoms.map((vatom) => rowOf(vatom, columns))

/** Prints every page. */
async function printAll<A extends Answer>(
  list: PagedList<A>,
  options: PageOptions,
  { host, output }: Pick<Context, 'host' | 'output'>,
): Promise<void> {
  const limit = sizeOf(options.limit ?? list.size.ofAll, list.size)
  const sink = sinkFor(list, options, output)
  const ask = async (place: Place) => {
    host.signal.throwIfAborted()
    const answer = await list.ask(place)
    sink.addDesigns?.(answer)
    return list.vatomsOf(answer)
  }
  let isEmpty = true
  for await (const vatoms of newOnEachPage({ ask, limit, keyOf: idOf })) {
    isEmpty = false
    sink.add(vatoms)
    if (output.isUnread()) return
  }
  await sink.end?.()
  if (isEmpty) output.note('No vAtoms found.')
}

/** Where pages go. Only what is printed as a whole is collected: a document, and the rows of a table. */
interface Sink {
  readonly add: (vatoms: readonly Vatom[]) => void
  readonly addDesigns?: (answer: Answer) => void
  readonly end?: () => void | Promise<void>
}

function sinkFor<A extends Answer>(list: PagedList<A>, { ndjson }: PageOptions, output: Output): Sink {
  if (ndjson) return { add: (vatoms) => vatoms.forEach(output.record) }
  if (output.json) return documentSink(list, output)
  if (!output.isTTY)
    return { add: (vatoms) => output.result(null, () => vatomLines(rowsOf(vatoms, list), list.columns, output)) }
  const rows: string[][] = []
  const size = new ListSize()
  return {
    add: (vatoms) => {
      const more = rowsOf(vatoms, list)
      size.add(more)
      for (const row of more) rows.push(row)
    },
    end: () => printVatoms(null, rows, list.columns, output),
  }
}

function documentSink<A extends Answer>({ fieldsOf }: PagedList<A>, output: Output): Sink {
  const all: Vatom[] = []
  let designs: Answer = { faces: [], actions: [] }
  const size = new ListSize()
  const withMore = <R extends object>(records: readonly R[], more: readonly R[]) => {
    const both = unique([...records, ...more])
    size.add(both.slice(records.length))
    return both
  }
  return {
    add: (vatoms) => {
      size.add(vatoms)
      for (const vatom of vatoms) all.push(vatom)
    },
    addDesigns: ({ faces, actions }) => {
      designs = { faces: withMore(designs.faces, faces), actions: withMore(designs.actions, actions) }
    },
    end: () => output.document({ ...fieldsOf(all), ...designs, has_more: false, next: null }),
  }
}
