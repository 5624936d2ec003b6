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
 * of a document, and those from it on are, too. Undefined if all are of one document.
 */
export function nextDocument(fields: readonly string[]): number | undefined {
  const before = new Set<string>()
  for (const [index, field] of fields.entries()) {
    // What is further behind has fewer fields, and is no document if this is none.
    if (beginnings.has(field) && kindWith(before)) return kindWith(new Set(fields.slice(index))) ? index : undefined
    before.add(field)
  }
  return undefined
}
