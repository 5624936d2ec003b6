import { limits } from '../../contract/limits.ts'
import { exit, Failure } from '../failure/failure.ts'

/** The code of a list that does not end. */
export const endlessCode = 'endless_list'

/** A list that does not end. */
export const endless = (most: string) =>
  new Failure(endlessCode, exit.refused, `The service's list did not end after ${most}`, {
    hint: 'narrow the search, or read some pages by themselves with --limit, and --page or --cursor',
  })

/** How large the part of a list is that is in memory. */
export class ListSize {
  #characters = 0

  /** Adds records. Throws `endless_list` for a list that has more than memory can be expected to hold. */
  add(records: readonly unknown[]): void {
    this.#characters += charactersOf(records)
    if (this.#characters > limits.listedCharacters) throw endless(`${limits.listedCharacters} characters`)
  }
}

/** Characters that each value counts as, beside those of a text: so much memory takes an empty one, too. */
const ofValue = 32

/** Characters of all texts and keys in a value. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length + ofValue
  if (typeof value !== 'object' || value === null) return ofValue
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + charactersOf(one), ofValue)
  return Object.entries(value).reduce((sum, [key, one]) => sum + key.length + charactersOf(one), ofValue)
}
