import { Document, isNode, isScalar, Scalar, visit } from 'yaml'
import type { Resolved } from '../../contract/vatom/provenance.ts'
import { printableLine } from '../../documents/report/printable.ts'

/** A document as lines of YAML that mean the same when they are escaped for a terminal. */
export function yamlLines(value: unknown): string[] {
  const document = new Document(value)
  visit(document, {
    Scalar: (_, node) => {
      if (isScalar(node) && typeof node.value === 'string' && isEscaped(node.value)) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString().trimEnd().split('\n')
}

/** Whether a terminal gets a text otherwise than it is: what is escaped must stand in quotes to be read again. */
const isEscaped = (text: string) => text.split('\n').some((line) => printableLine(line) !== line)

const mark = '\u0001'
/** Beyond this column what follows a value is not aligned. */
const widest = 56

/** A resolved vAtom as lines of YAML; what the variation says is marked in a column of its own. */
export function originLines({ sections, leaves }: Resolved): string[] {
  const document = new Document(sections, { aliasDuplicateObjects: false })
  for (const { path } of leaves.filter(({ from }) => from === 'variation')) {
    const node = document.getIn(path, true)
    if (isNode(node)) node.comment = mark
  }
  const lines = document.toString({ lineWidth: 0 }).trimEnd().split('\n')
  const marked = lines.map((line) => (line.endsWith(`#${mark}`) ? line.slice(0, -2).trimEnd() : undefined))
  const lengths = marked.flatMap((line) => (line === undefined ? [] : [line.length]))
  const column = Math.min(widest, Math.max(0, ...lengths))
  return lines.map((line, index) => {
    const own = marked[index]
    return own === undefined ? line : `${own.padEnd(column)}  # variation`
  })
}
