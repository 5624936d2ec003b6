import type { Sqlite } from './database/sqlite.ts'

/** What SQL calls it. */
export const valuesFunction = 'values_in'

/** How many values JSON without spaces has: one behind each comma outside of texts, and each object and list. */
export function valuesIn(json: string): number {
  let count = 0
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (sign === '"') at = endOfText(json, at) - 1
    else if (sign === ',' || sign === '{' || sign === '[') count++
  }
  return count
}

/** Where the quoted text ends that begins at a place: after its closing quote. */
export function endOfText(json: string, from: number): number {
  let end = json.indexOf('"', from + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end + 1
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(json: string, at: number): boolean {
  let first = at
  while (json[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}

/** Adds the function to a connection. */
export const addValues = (db: Sqlite): void =>
  db.function(valuesFunction, { deterministic: true }, (json) => valuesIn(String(json)))
