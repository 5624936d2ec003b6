import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { isSame } from '../../../contract/schema/path.ts'
import { thousands } from '../../../contract/schema/wording.ts'
import { chainWrites } from '../../../contract/vatom/chain.ts'
import { valuesIn } from '../../store/json-values.ts'
import type { Steps } from '../../store/slices.ts'
import type { TemplateRow } from '../../store/templates.ts'
import type { VariationSize } from '../../store/variations.ts'
import type { Moment } from '../caller.ts'
import { childrenOf } from './children.ts'
import { ethOf, vatomOf } from './template.ts'
import { sectionsOf } from './variation.ts'

/** A record takes as long as one more for each of so many bytes of its JSON, as it was and as it becomes. */
const bytesOfRecord = 12_288

/** A record that changes takes as long as one more for each of so many values beyond the first ones, as it was and as it becomes. */
const valuesOfRecord = 25
const firstValues = 100

/** So many rows of a few bytes each, such as a write to a chain, take as long as one record. */
const rowsOfRecord = 2

/** What a change of a template adds, at most, to each variation and each of its vAtoms. */
interface Addition {
  /** Bytes of JSON of a record. */
  readonly bytes: number
  /** Values in that JSON. */
  readonly values: number
  /** Variations that the child_policy of a variation names. */
  readonly children: number
  /** Writes to the chain for a variation with a contract of its own. */
  readonly chainWrites: number
}

/** Whether a change of a template concerns its variations and their vAtoms. */
export const isFollowed = (after: TemplateRow, before: TemplateRow): boolean =>
  !isSame(sectionsOf(after), sectionsOf(before))

/** Refuses, in steps, a change of a draft that rewrites more than others can wait for. Call it before that. */
export function* checkChangeSize(scope: Moment, after: TemplateRow, before: TemplateRow): Steps<void> {
  const addition = additionOf(after, before)
  const records = (size: VariationSize) =>
    recordsOf(size) + recordsAdded(size, addition) + recordsOfValues(scope, size, addition)
  yield* checkSize(scope, before.name, records, {
    path: 'vatom',
    tooMuch: `too much would change with ${before.name}: ${counted(`, and for each ${valuesOfRecord} of its values beyond ${firstValues}`)}; change them one by one, or delete some of them first`,
  })
}

/** The same for its deletion. */
export function* checkDeletionSize(scope: Moment, template: string): Steps<void> {
  yield* checkSize(scope, template, recordsOf, {
    path: '',
    tooMuch: `too much would be deleted with ${template}: ${counted('')}; delete some of them first`,
  })
}

const counted = (values: string) =>
  `its variations and their vAtoms count as more than ${thousands(limits.draftChange)} (a variation as two; each once more for each 12 KB of its JSON${values}, before and after; two writes to a chain, or two names in a child_policy, as one)`

interface Refusal {
  readonly path: string
  readonly tooMuch: string
}

type Records = (size: VariationSize) => number

function* checkSize({ store }: Moment, template: string, records: Records, { path, tooMuch }: Refusal): Steps<void> {
  let left: number = limits.draftChange
  for (const some of store.variations.sizesOf(template)) {
    yield
    for (const size of some) {
      left -= records(size)
      if (left < 0) throw errorAt(path, 'invalid', tooMuch)
      yield
    }
  }
}

/** As how many records a variation and its vAtoms count. */
const recordsOf = ({ vatoms, bytes, children }: VariationSize): number =>
  2 + vatoms + bytes / bytesOfRecord + children / rowsOfRecord

/** As how many more, with what a change adds to them. */
function recordsAdded({ vatoms, hasContract }: VariationSize, { bytes, children, chainWrites }: Addition): number {
  const text = (1 + vatoms) * bytes
  const rows = children + hasContract * chainWrites
  return text / bytesOfRecord + rows / rowsOfRecord
}

/** As how many more, with the values that are in them and come to them. Reads all of their JSON. */
function recordsOfValues({ store }: Moment, { name, vatoms }: VariationSize, addition: Addition): number {
  const records = 1 + vatoms
  const values = store.variations.valuesOf(name) + records * addition.values
  return Math.max(values - records * firstValues, 0) / valuesOfRecord
}

function additionOf(after: TemplateRow, before: TemplateRow): Addition {
  const changed = changedSections(after, before)
  return {
    bytes: Buffer.byteLength(changed),
    values: valuesIn(changed),
    children: childrenOf(vatomOf(after)).length,
    // A variation has only fields of its template: no more are written to its contract than to that of the template.
    chainWrites: chainWrites(ethOf(before), ethOf(after)).length,
  }
}

/** The JSON of the sections that a change replaces, one after the other. */
const changedSections = (after: TemplateRow, before: TemplateRow): string =>
  (['vatom', 'eth', 'eos'] as const)
    .filter((section) => after[section] !== before[section])
    .map((section) => after[section] ?? '')
    .join('')
