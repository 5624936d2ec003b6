import { Document, isScalar, Scalar, visit } from 'yaml'
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
