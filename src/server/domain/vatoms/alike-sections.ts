import { isObject } from '../../../contract/schema/path.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import { partsOf } from '../../store/vatoms/record-text.ts'
import { JsonText, recordText } from '../json-text.ts'

// vAtoms have most of their sections alike, and these can be large: what follows from one is computed once.

/** Computes what follows from an object once for each object, as long as that is in memory. */
export function onceFor<From extends object, To>(compute: (from: From) => To): (from: From) => To {
  const known = new WeakMap<From, To>()
  return (from) => {
    const value = known.get(from) ?? compute(from)
    known.set(from, value)
    return value
  }
}

/** The same for two objects, as long as the first comes with the same other one. */
export function onceForBoth<One extends object, Other, To>(
  compute: (one: One, other: Other) => To,
): (one: One, other: Other) => To {
  const known = new WeakMap<One, { readonly other: Other; readonly value: To }>()
  return (one, other) => {
    const last = known.get(one)
    if (last && last.other === other) return last.value
    const value = compute(one, other)
    known.set(one, { other, value })
    return value
  }
}

/** As it was, and as a change makes it. */
const textsParsed = 2

/** Parses texts; of the last few, the same one gives the same value. */
function lastParsed(): (text: string) => unknown {
  const last: { readonly text: string; readonly value: unknown }[] = []
  return (text) => {
    const known = last.find((one) => one.text === text)
    if (known) return known.value
    const value: unknown = JSON.parse(text)
    last.unshift({ text, value })
    last.length = Math.min(last.length, textsParsed)
    return value
  }
}

/** The sections in which the vAtoms of a variation are alike until an action changes them. */
const parsed: Readonly<Record<string, (text: string) => unknown>> = {
  private: lastParsed(),
  eth: lastParsed(),
  eos: lastParsed(),
}

/** A record, or what vAtoms are made of; a section that is written as in one of the last few is the same object. */
export const parsedRecord = (json: string): Section =>
  Object.fromEntries(
    [...partsOf(json)].map(([key, text]) => {
      const parse = Object.hasOwn(parsed, key) ? parsed[key] : undefined
      return [key, parse ? parse(text) : JSON.parse(text)]
    }),
  )

const textOf = onceFor((section: Section) => new JsonText(JSON.stringify(section)))

/** The text of a record. */
export const writtenRecord = (record: Section): string =>
  recordText(
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, isObject(value) ? textOf(value) : value])),
  )
