import type { Auth, Endpoint } from '../api/endpoint.ts'
import { type ErrorName, errorCatalogue } from '../api/errors.ts'
import { operations } from '../api/table.ts'

/** The API as two Markdown tables: every operation, then every error. */
export const referenceTable = (): string =>
  [operationTable(), errorTable()]
    .map((lines) => lines.join('\n'))
    .join('\n\n')
    .concat('\n')

const who: Record<Auth, string> = {
  none: 'anyone',
  refresh: 'holder of a refresh token',
  optional: 'anyone, or user',
  user: 'user',
  publisher: 'publisher',
}

const row = (...cells: readonly (string | number)[]) => `| ${cells.map((cell) => escaped(String(cell))).join(' | ')} |`
const escaped = (cell: string) => cell.replaceAll('|', '\\|')
const heading = (...titles: readonly string[]) => [row(...titles), row(...titles.map(() => '---'))]

const operationTable = () => [
  ...heading('Operation', 'Method', 'Path', 'Who', 'Spec', 'Summary', 'Errors', 'Assumed'),
  ...operations.map(([key, endpoint]) => operationRow(key, endpoint)),
]

const operationRow = (key: string, { method, path, auth, spec, summary, errors, assumed }: Endpoint) =>
  row(`\`${key}\``, method, `\`${path}\``, who[auth], spec, summary, errorList(errors), assumed ?? '')

/** `400 invalid, foreignName; 403 unauthorized` */
function errorList(errors: readonly ErrorName[]): string {
  const statuses = [...new Set(errors.map((name) => errorCatalogue[name].status))].sort((a, b) => a - b)
  return statuses
    .map((status) => `${status} ${errors.filter((name) => errorCatalogue[name].status === status).join(', ')}`)
    .join('; ')
}

const errorTable = () => [
  ...heading('Error', 'Status', 'Code', 'Meaning'),
  ...Object.entries(errorCatalogue).map(([name, { status, code, title }]) => row(`\`${name}\``, status, code, title)),
]
