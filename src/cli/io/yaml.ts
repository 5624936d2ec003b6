import { Document, isNode, isScalar, Scalar, visit } from 'yaml'
import { printableLine } from '../../contract/printable.ts'
import type { Resolved } from '../../contract/vatom/provenance.ts'
import { isOldBoolean } from '../../documents/edit/yaml-text.ts'
import { holdsCommand } from '../../documents/report/log-commands.ts'
import { hasStrangeEnd } from '../../documents/yaml/strange-spaces.ts'

/** A document as lines of YAML that keep their meaning when they are escaped for a terminal, or for the log of a pipeline. */
export function yamlLines(value: unknown): string[] {
  const document = new Document(value)
  visit(document, {
    Scalar: (_, node) => {
      if (isScalar(node) && typeof node.value === 'string' && needsQuotes(node.value)) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ doubleQuotedAsJSON: true }).trimEnd().split('\n')
}

/** Whether a text is read again as it is only in quotes: one that is escaped where it is shown, and a key that merges. */
const needsQuotes = (text: string) =>
  text === '<<' ||
  isOldBoolean(text) ||
  hasStrangeEnd(text) ||
  holdsCommand(text) ||
  text.split('\n').some((line) => printableLine(line) !== line)

const mark = '\u0001'
/** Marks are aligned up to this column. */
const widest = 56

/** A resolved vAtom as lines of YAML; values of the variation are marked in a column of their own. */
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
