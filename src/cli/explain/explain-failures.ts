import { type FailureNote, serviceFailures } from '../../contract/service-failures.ts'
import type { Context } from '../context.ts'
import { isStatusCode } from '../failure/codes.ts'
import { commandFailures, statusFailure } from '../failure/command-failures.ts'
import { styled, wrapped } from '../io/text.ts'
import { factLines } from './explain-path.ts'

/** Codes of failures with their meaning, and whose they are. */
interface Group {
  readonly source: 'command' | 'service on this machine' | 'answer'
  readonly notes: Readonly<Record<string, FailureNote>>
}

const groups: readonly Group[] = [
  { source: 'command', notes: commandFailures },
  { source: 'service on this machine', notes: serviceFailures },
  { source: 'answer', notes: { http_STATUS: statusFailure } },
]

/** The codes of failures that no error of the service has. */
export const failureRows = groups.flatMap(({ source, notes }) =>
  Object.entries(notes).map(([code, { title, remedy }]) => ({ code, source, title, remedy })),
)
type FailureRow = (typeof failureRows)[number]

const rowOf = (given: string): FailureRow | undefined => {
  const code = isStatusCode(given) ? 'http_STATUS' : given
  const row = failureRows.find((one) => one.code === code)
  return row && { ...row, code: given }
}

/** Prints what a failure of a command means, or one of the service on this machine, by its code; false if there is none. */
export async function explainFailure(given: string, { output }: Context): Promise<boolean> {
  const row = rowOf(given)
  if (row === undefined) return false
  await output.listing(row, () => [
    styled`${output.paint.bold(row.code)}`,
    ...wrapped(row.title, output.columns),
    '',
    ...factLines(
      [
        ['severity', `error, of the ${row.source}`],
        ['remedy', row.remedy],
      ],
      output,
    ),
  ])
  return true
}
