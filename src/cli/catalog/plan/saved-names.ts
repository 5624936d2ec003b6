import { kindOf } from '../../../contract/kinds/kinds.ts'
import { labelKey } from '../owners.ts'
import type { PlanContent } from './saved-plan-schema.ts'

type Saved = Pick<PlanContent, 'documents' | 'deletions' | 'unlisted'>
type SavedDocument = Saved['documents'][number]
type SavedRecord = Pick<Saved['deletions'][number], 'kind' | 'key' | 'name' | 'template'> & {
  readonly own_key?: string
}

/** Whether a saved plan calls each record by the name that its value or its key gives it, and says one thing of it. */
export function namesRecordsTruly({ documents, deletions, unlisted = [] }: Saved): boolean {
  const others = [...deletions, ...unlisted]
  const listed = documents.map(({ kind, name, key = name }) => ({ kind, key }))
  const known = [...listed, ...others].map(labelKey)
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

/** A face is named by its template, the viewers that it is for, where the plan says for which, and its id. */
const isNamedByKey = ({
  kind,
  key,
  name,
  template,
  own_key = labelKey({ kind, key: template }),
}: SavedRecord): boolean =>
  hasId(kind) ? startsWithWords(labelKey({ kind, key: name }), own_key) && name.endsWith(` (${key})`) : name === key

/** Whether a text starts with the words of another one, with commas between them or without. */
const startsWithWords = (text: string, start: string): boolean => `${wordsOf(text)} `.startsWith(`${wordsOf(start)} `)

const wordsOf = (text: string): string => text.replace(/[, ]+/g, ' ').trim()

const hasId = (kind: SavedDocument['kind']): boolean => kindOf(kind).key !== 'name'
