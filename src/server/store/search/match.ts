import { type RawBuilder, sql } from 'kysely'
import type { Sqlite, SqlValue } from '../sqlite.ts'

const functionName = 'vatom_match'

/** Whether a text contains a value in which `*` stands for any run of characters. Spec 4.4. */
export const matches = (text: RawBuilder<unknown>, value: string): RawBuilder<unknown> =>
  value.includes('*') ? sql`${sql.raw(functionName)}(${text}, ${value})` : sql`(instr(${text}, ${value}) > 0)`

/** Gives a connection the function that `matches` needs for values with a `*`. */
export const addMatch = (db: Sqlite): void =>
  db.function(functionName, { deterministic: true }, (text, value) => (contains(String(text), String(value)) ? 1 : 0))

/** The pieces between the stars, one after the other, each where it first occurs: time grows with the text alone. */
function contains(text: string, pattern: string): SqlValue {
  let from = 0
  for (const piece of pattern.split('*')) {
    const found = text.indexOf(piece, from)
    if (found < 0) return 0
    from = found + piece.length
  }
  return 1
}
