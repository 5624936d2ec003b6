import { at, listAt } from '../../contract/schema/path.ts'
import { vatomTypeKey } from '../../contract/values.ts'
import type { Output } from '../io/output.ts'
import { printTable, shortId, tableLines } from '../io/table.ts'
import type { Line } from '../io/text.ts'

/** A vAtom as the service returns it. */
export type Vatom = Readonly<Record<string, unknown>>
/** Columns of a table of vAtoms: each with its head, and its cell for a vAtom. */
export type VatomColumns = readonly (readonly [head: string, cell: (vatom: Vatom) => string])[]

/** A built-in property as the cell of a table. */
export const builtIn =
  (...path: readonly string[]) =>
  (vatom: Vatom): string =>
    String(at(vatom, vatomTypeKey, ...path) ?? '')

/** What people call a vAtom: its title, or the variation of one without. */
export const titleOf = (vatom: Vatom): string => builtIn('title')(vatom) || builtIn('template_variation')(vatom)

/** Columns that every table of vAtoms has. */
export const usualColumns: VatomColumns = [
  ['ID', ({ id }) => String(id)],
  ['TITLE', builtIn('title')],
  ['VARIATION', builtIn('template_variation')],
]

/** `activated, dropped, in 3a7eeb6e`; without a terminal with the whole id of the folder. */
export const stateOf =
  ({ isTTY }: Pick<Output, 'isTTY'>) =>
  (vatom: Vatom): string => {
    const activated = listAt(vatom, vatomTypeKey, 'states').some(
      (state) => at(state, 'name') === 'Activated' && String(at(state, 'value', 'value')) === 'true',
    )
    const folder = builtIn('parent_id')(vatom)
    return [
      activated ? 'activated' : 'inactive',
      ...(vatom.unpublished === true ? ['draft'] : []),
      ...(at(vatom, vatomTypeKey, 'dropped') === true ? ['dropped'] : []),
      ...(folder === '' || folder === '.' ? [] : [`in ${isTTY ? folder.slice(0, shortId) : folder}`]),
    ].join(', ')
  }

/** The row of a vAtom. */
export const rowOf = (vatom: Vatom, columns: VatomColumns): string[] => columns.map(([, cell]) => cell(vatom))

type Rows = readonly (readonly string[])[]

/** Rows of vAtoms for people. */
export const vatomLines = (rows: Rows, columns: VatomColumns, output: Output): readonly Line[] =>
  tableLines(headsOf(columns), rows, output)

/** Prints rows of vAtoms, as `printTable` does. */
export const printVatoms = (value: unknown, rows: Rows, columns: VatomColumns, output: Output): Promise<void> =>
  printTable(value, headsOf(columns), rows, output)

const headsOf = (columns: VatomColumns) => columns.map(([head]) => head)
