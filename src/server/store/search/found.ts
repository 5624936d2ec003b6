import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { type Connection, query } from '../query.ts'

/** A vAtom that was found: its record as JSON text, and its template. */
export interface Found {
  readonly json: string
  readonly template: string
}

type Numbers = { numbers: string }
const sizes = query<Numbers>()(
  (value) =>
    sql<{
      size: number
    }>`SELECT coalesce(octet_length(vatoms.json), 0) AS size FROM json_each(${value.numbers}) AS found
      LEFT JOIN vatoms ON vatoms.seq = found.value ORDER BY found.key`,
)

const found = query<Numbers & { caller: string }>()(
  (value) =>
    sql<Found>`SELECT vatoms.json, vatoms.template FROM json_each(${value.numbers}) AS found
      CROSS JOIN vatoms ON vatoms.seq = found.value
      WHERE vatoms.owner = ${value.caller} OR vatoms.public = 1 ORDER BY found.key`,
)

const ids = query<Numbers>()(
  (value) =>
    sql<{ id: string }>`SELECT vatoms.id FROM json_each(${value.numbers}) AS found
      CROSS JOIN vatoms ON vatoms.seq = found.value ORDER BY found.key`,
)

/** The queries of what was found, for the tests of their plans. */
export const foundQueries = { sizes, found, ids }

/** Ids of the vAtoms of numbers (`seq`), in their order. */
export const idsOf = (db: Connection) => (numbers: readonly number[]) =>
  db.rows(ids, { numbers: JSON.stringify(numbers) }).map(({ id }) => id)

/** vAtoms of which sizes are read at a time. */
const sized = 100

/** Reads the vAtoms of numbers (`seq`), in their order, in batches of few kilobytes; those that a caller may still see. */
export const foundOf = (db: Connection) =>
  function* (numbers: readonly number[], caller: string): Generator<Found[], void> {
    for (let first = 0; first < numbers.length; first += sized) {
      const some = numbers.slice(first, first + sized)
      const bytes = db.rows(sizes, { numbers: JSON.stringify(some) }).map(({ size }) => size)
      for (const batch of batches(some, bytes)) yield db.rows(found, { numbers: JSON.stringify(batch), caller })
    }
  }

/** Numbers whose sizes are together no more than a part of an answer, or that alone are more. */
function* batches(numbers: readonly number[], sizes: readonly number[]): Generator<number[], void> {
  let batch: number[] = []
  let sum = 0
  for (const [index, number] of numbers.entries()) {
    const size = sizes[index] ?? 0
    if (batch.length > 0 && sum + size > limits.answerPart) {
      yield batch
      batch = []
      sum = 0
    }
    batch.push(number)
    sum += size
  }
  if (batch.length > 0) yield batch
}
