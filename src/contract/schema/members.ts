import { isObject } from './path.ts'
import { didYouMean } from './suggest.ts'

/**
 * Throws a TypeError for what is no object, and for a member that has none of these names: JavaScript lets both pass.
 * `where` is what was called: `clock.advance`.
 */
export function checkMembers(where: string, given: unknown, names: readonly string[]): void {
  if (!isObject(given)) throw new TypeError(`${where} takes an object: known members: ${names.join(', ')}`)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const near = didYouMean(unknown, names) ?? (names.length > 0 ? `known are ${names.join(', ')}` : 'it has no members')
  throw new TypeError(`unknown ${unknown} in ${where}: ${near}`)
}
