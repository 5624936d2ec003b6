import { at } from '../../contract/schema/path.ts'

/** What an entry of a list is known by: the name it has, a text or number itself. */
function identityOf(entry: unknown): string | undefined {
  const name = at(entry, 'name') ?? at(entry, 'template_variation')
  if (typeof name === 'string') return `name ${name}`
  return typeof entry === 'object' ? undefined : JSON.stringify(entry)
}

/**
 * For each entry of a changed list the index of the same entry before, undefined for a new one; indexes only grow. In
 * lists of the same length, entries without a name correspond by their place.
 */
export function correspondingEntries(before: readonly unknown[], after: readonly unknown[]): (number | undefined)[] {
  const known = before.map(identityOf)
  const wanted = after.map(identityOf)
  const isNamed = (identity: string | undefined) => identity?.startsWith('name ') === true
  const alike = wanted.every((one, index) => one === known[index] || !(isNamed(one) || isNamed(known[index])))
  if (before.length === after.length && alike) return after.map((_, index) => index)
  let next = 0
  return wanted.map((identity, index) => {
    const found =
      identity === undefined ? (index >= next && index < before.length ? index : -1) : known.indexOf(identity, next)
    if (found < 0) return undefined
    next = found + 1
    return found
  })
}
