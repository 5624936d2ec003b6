import type { Auth } from '../api/endpoint.ts'
import { type ErrorName, errorCatalogue } from '../api/errors.ts'
import { notOffered } from '../api/not-offered.ts'
import { type Operation, operations } from '../api/table.ts'
import { warningCatalogue } from '../api/warnings.ts'

type Cell = string | number

const row = (cells: readonly Cell[]) => `| ${cells.map((cell) => escaped(String(cell))).join(' | ')} |`
const escaped = (cell: string) => cell.replaceAll(/[|<]/g, '\\$&')

/** A Markdown table, which ends with a line break. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n').concat('\n')

const who: Record<Auth, string> = {
  none: 'anyone',
  refresh: 'holder of a refresh token',
  optional: 'anyone, or user',
  user: 'user',
  publisher: 'publisher',
}

/** Every operation of the API with the command that sends it, as a Markdown table. */
export const operationTable = (commands: Readonly<Record<Operation, string>>): string =>
  markdownTable(
    ['Operation', 'Request', 'Command', 'Who', 'Spec', 'Summary', 'Errors'],
    operations.map(([key, { method, path, auth, spec, summary, errors }]) => [
      `\`${key}\``,
      `\`${method} ${path}\``,
      `\`vatom ${commands[key]}\``,
      who[auth],
      spec ?? 'not named',
      summary,
      errorList(errors),
    ]),
  )

/** Operations that are known and not offered, as a Markdown table. */
export const notOfferedTable = (): string =>
  markdownTable(
    ['Request', 'For'],
    notOffered.map(({ method, path, subject }) => [`\`${method} ${path}\``, subject]),
  )

/** `400 invalid, foreignName; 403 unauthorized` */
function errorList(errors: readonly ErrorName[]): string {
  const statuses = [...new Set(errors.map((name) => errorCatalogue[name].status))].sort((a, b) => a - b)
  return statuses
    .map((status) => `${status} ${errors.filter((name) => errorCatalogue[name].status === status).join(', ')}`)
    .join('; ')
}

/** Every operation that the specification names without describing it in full, with what is assumed. */
export const assumptionTable = (): string =>
  markdownTable(
    ['Operation', 'Assumed'],
    operations.flatMap(([key, { assumed }]) => (assumed === undefined ? [] : [[`\`${key}\``, assumed]])),
  )

/** Every error of the API, as a Markdown table. */
export const errorTable = (): string =>
  markdownTable(
    ['Error', 'Status', 'Code', 'Meaning'],
    Object.entries(errorCatalogue).map(([name, { status, code, title }]) => [`\`${name}\``, status, code, title]),
  )

/** Every warning of the API that is not a rule's, as a Markdown table. */
export const warningTable = (): string =>
  markdownTable(
    ['Warning', 'Meaning'],
    Object.entries(warningCatalogue).map(([code, title]) => [`\`${code}\``, title]),
  )
