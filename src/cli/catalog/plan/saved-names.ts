import { kindOf } from '../../../contract/kinds/kinds.ts'
import { labelKey } from '../owners.ts'
import type { PlanContent } from './saved-plan-schema.ts'

type Saved = Pick<PlanContent, 'documents' | 'deletions' | 'unlisted'>
type SavedDocument = Saved['documents'][number]
type SavedRecord = Pick<Saved['deletions'][number], 'kind' | 'key' | 'name'>

/** Whether a saved plan calls each record by the name that its value or its key gives it, and says one thing of it. */
export function namesRecordsTruly({ documents, deletions, unlisted = [] }: Saved): boolean {
  const others = [...deletions, ...unlisted]
  const known = [...documents.flatMap(recordOf), ...others].map(labelKey)
  const own = new Set(documents.map(({ key }) => key))
  return (
    documents.every(isNamedByValue) &&
    others.every(isNamedByKey) &&
    new Set(known).size === known.length &&
    documents.every(({ alike = [] }) => !alike.some(({ id }) => own.has(id)))
  )
}

/** Only a face has an id beside its name, and others like it. */
const isNamedByValue = ({ kind, name, value, key, alike }: SavedDocument): boolean =>
  name === kindOf(kind).nameOf(value) && (hasId(kind) || (key === undefined && alike === undefined))

const isNamedByKey = ({ kind, key, name }: SavedRecord): boolean =>
  hasId(kind) ? name.endsWith(` (${key})`) : name === key

const hasId = (kind: SavedDocument['kind']): boolean => kindOf(kind).key !== 'name'

/** The record of a document; a new face has none that could be told from others. */
const recordOf = ({ kind, name, key }: SavedDocument) =>
  hasId(kind) && key === undefined ? [] : [{ kind, key: key ?? name }]
