type Cell = string | number

const row = (cells: readonly Cell[]) => `| ${cells.map((cell) => escaped(String(cell))).join(' | ')} |`
const escaped = (cell: string) => cell.replaceAll(/[|<]/g, '\\$&')

/** A Markdown table, which ends with a line break. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n').concat('\n')
