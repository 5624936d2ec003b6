import { limits } from '../../contract/limits.ts'
import { groupBy } from '../../contract/schema/group-by.ts'
import { thousands } from '../../contract/schema/wording.ts'
import type { Row } from './results.ts'

/** Whether it is unknown if something was done: it was sent, and no answer of the service came. */
export const isUnknown = ({ status, failure }: Pick<Row, 'status' | 'failure'>): boolean =>
  status === 'failed' && (failure?.code === 'interrupted' || failure?.mayBeDone === true)

/** What became of a row in few words: `created but not published`, `with unknown outcome`. */
export function outcomeText(row: Pick<Row, 'status' | 'written' | 'failure'>): string {
  const { status, written } = row
  if (isUnknown(row)) return 'with unknown outcome'
  if (written === undefined) return status.replace('_', ' ')
  if (status === 'published') return `${written} and published`
  if (status === 'unchanged') return written
  return `${written} but ${status === 'not_sent' ? 'not published' : status}`
}

/** Names what failed or was not sent: the first ones of each outcome, and how many more there are. */
export const undoneLines = (failed: readonly Row[]): string[] =>
  [...groupBy(failed, outcomeText)].flatMap(([outcome, rows]) => {
    const more = rows.length - limits.undoneShown
    return [
      ...rows.slice(0, limits.undoneShown).map((row) => `${outcome}: ${nameOf(row)}`),
      ...(more > 0 ? [`${outcome}: ${thousands(more)} more; --json lists all`] : []),
    ]
  })

const nameOf = ({ kind, name, file }: Row) => `${kind} ${name}${file === null ? '' : ` (${file})`}`
