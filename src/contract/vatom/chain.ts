import { at, isObject } from '../schema/path.ts'

/** One write to a smart contract: its creation, or a new value of a field; `null` for a field that is gone. Spec 2.3. */
export type ChainWrite =
  | { readonly entry: 'contract' }
  | { readonly entry: 'field'; readonly field: string; readonly type: string; readonly value: unknown }

/** Whether writes of an `eth` section are charged. Spec 2.3. */
export const isCharged = (eth: unknown): boolean => at(eth, 'network') === 'mainnet'

/**
 * What a change of an `eth` section writes, both as they are stored: a contract where there was none for this network
 * and symbol, and each field whose value is new. Spec 2.3.
 */
export function chainWrites(before: unknown, after: unknown): readonly ChainWrite[] {
  if (!isObject(after)) return []
  const same = isObject(before) && before.network === after.network && before.symbol === after.symbol
  const written = fieldWrites(same ? at(before, 'fields') : {}, at(after, 'fields'))
  return same ? written : [{ entry: 'contract' }, ...written]
}

function fieldWrites(before: unknown, after: unknown): ChainWrite[] {
  const old = isObject(before) ? before : {}
  const now = isObject(after) ? after : {}
  const gone = Object.keys(old).filter((field) => !Object.hasOwn(now, field))
  return [
    ...Object.keys(now)
      .filter((field) => !sameField(at(old, field), now[field]))
      .map((field) => fieldWrite(field, now[field], at(now[field], 'value'))),
    ...gone.map((field) => fieldWrite(field, old[field], null)),
  ]
}

const sameField = (one: unknown, other: unknown) =>
  at(one, 'type') === at(other, 'type') && at(one, 'value') === at(other, 'value')

const fieldWrite = (field: string, described: unknown, value: unknown): ChainWrite => ({
  entry: 'field',
  field,
  type: String(at(described, 'type')),
  value,
})
