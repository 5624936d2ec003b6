import { vatomTypeKey } from '../../contract/values.ts'
import { builtIn, type Section, sectionOf } from '../../contract/vatom/complete.ts'
import { timestamp } from '../clock.ts'
import type { Scope } from '../operations/handler.ts'
import { bit } from '../store/table.ts'
import type { VatomRow } from '../store/vatoms.ts'
import { searchable } from './vatom.ts'

/** Sections of a vAtom that are written anew; of the built-in properties, those alone that change. */
export interface Rewriting {
  readonly type?: Section
  readonly private?: Section
}

/** Writes properties of a vAtom that decide neither who has it, where it is nor who sees it. Call it inside a write. */
export function rewrite(
  { store, now }: Pick<Scope, 'store' | 'now'>,
  { id, json }: VatomRow,
  changes: Rewriting,
): void {
  const record = sectionOf(JSON.parse(json))
  const changed = {
    ...record,
    sync: Number(record.sync) + 1,
    when_modified: timestamp(now),
    [vatomTypeKey]: { ...builtIn(record), ...changes.type },
    private: changes.private ?? record.private,
  }
  const { category, visibility_type, acquirable } = searchable(changed)
  store.vatoms.change({ id, category, visibility_type, acquirable: bit(acquirable), json: JSON.stringify(changed) })
}
