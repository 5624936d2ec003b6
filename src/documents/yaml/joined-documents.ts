import type { Kind } from '../../contract/kinds/kind.ts'
import { creationOrder, shownBy } from '../../contract/kinds/kinds.ts'

/** The fields that a document begins with. */
const beginnings: ReadonlySet<string> = new Set([
  '$schema',
  'kind',
  ...creationOrder.flatMap(({ nameKey, templateKey }) => [nameKey, templateKey]),
])

/** The fields that show of which kind a document is. */
const marks = ['vatom', ...creationOrder.flatMap(({ mark }) => mark ?? [])]

/** The kind of a document with these fields; undefined if they are not enough for one. */
function kindWith(fields: ReadonlySet<string>): Kind | undefined {
  const document = Object.fromEntries(marks.filter((mark) => fields.has(mark)).map((mark) => [mark, null]))
  const kind = shownBy(document)
  return kind && fields.has(kind.nameKey) && fields.has(kind.templateKey) ? kind : undefined
}

/**
 * The index of the field with which another document begins, as no line `---` is before it: the fields before it are those
 * of a document, those from it on are, too, and one is there twice, or only one of the two is an action, which shares no
 * field with the others. Undefined if all are of one document.
 */
export function nextDocument(fields: readonly string[]): number | undefined {
  const before = new Set<string>()
  for (const [index, field] of fields.entries()) {
    const first = beginnings.has(field) ? kindWith(before) : undefined
    if (first) {
      const behind = new Set(fields.slice(index))
      const next = kindWith(behind)
      // What is further behind has fewer fields, and is no document either.
      if (next === undefined) return undefined
      const isOther = (first.name === 'action') !== (next.name === 'action')
      if (isOther || [...behind].some((one) => before.has(one))) return index
    }
    before.add(field)
  }
  return undefined
}
