import { JsonText } from '../request/answers.ts'
import { select, selection } from './selection.ts'
import { listText, recordText } from './text.ts'

/** Records with the fields of them that a request asks for, each with its name alone by default. */
export function sparseList(records: readonly object[], fields = 'name'): JsonText {
  const wanted = selection(fields)
  return new JsonText(listText(records.map((record) => recordText(select(record, wanted)))))
}
