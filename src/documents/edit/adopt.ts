import { at, isObject, isSame } from '../../contract/schema/path.ts'
import { correspondingEntries } from './entries.ts'

/**
 * A value as it is written, changed so that it means what is wanted; `means` is what it means now. Parts that mean what
 * is wanted stay as they are written: explicit defaults, short names, another form of a value.
 */
export function adopted(written: unknown, means: unknown, wanted: unknown): unknown {
  if (isSame(means, wanted)) return written
  if (isObject(written) && isObject(wanted)) return adoptedObject(written, means, wanted)
  if (Array.isArray(written) && Array.isArray(wanted)) return adoptedList(written, means, wanted)
  return wanted
}

function adoptedObject(written: Record<string, unknown>, means: unknown, wanted: Record<string, unknown>) {
  const known = Object.keys(written).flatMap((key) => {
    const [old, fresh] = [at(means, key), at(wanted, key)]
    if (isSame(old, fresh)) return [[key, written[key]] as const]
    return fresh === undefined ? [] : [[key, adopted(written[key], old, fresh)] as const]
  })
  const added = Object.entries(wanted).filter(([key]) => !Object.hasOwn(written, key))
  return Object.fromEntries([...known, ...added])
}

function adoptedList(written: readonly unknown[], means: unknown, wanted: readonly unknown[]): unknown[] {
  const meant: readonly unknown[] = Array.isArray(means) && means.length === written.length ? means : written
  const pairs = correspondingEntries(meant, wanted)
  return wanted.map((value, index) => {
    const old = pairs[index]
    return old === undefined ? value : adopted(written[old], meant[old], value)
  })
}
