import { isScalar, type Scalar } from 'yaml'
import type { Issue } from '../../contract/schema/issues.ts'
import { word } from '../../contract/schema/wording.ts'
import type { Finding } from '../finding.ts'
import type { Found } from './locate.ts'
import { commentAfter, commentWords } from './scalar-traps.ts'

type Words = Pick<Finding, 'rule' | 'message' | 'hint' | 'range' | 'fix' | 'edit'>

/** An issue in the words of the YAML mistake behind it, where there is one. */
export function explain(issue: Issue, found: Found, text: string): Finding {
  if (!found.complete || !isScalar(found.node) || issue.rule === 'unknown-field') return issue
  const words = commentTrap(found, text) ?? booleanTrap(issue, found.node) ?? quoteTrap(issue, found.node)
  return words ? { ...issue, ...words } : issue
}

const isPlain = (node: Scalar) => node.type === 'PLAIN'

/** `description: #1 in town`: the rest of the line is a comment. */
function commentTrap({ key, node }: Found, text: string): Words | undefined {
  const comment = key && isScalar(node) && node.source === '' && node.value === null && commentAfter(key, text)
  return comment ? commentWords(comment) : undefined
}

const booleans: Readonly<Record<string, boolean>> = { yes: true, on: true, y: true, no: false, off: false, n: false }

/** `unpublished: no`: a string since YAML 1.2. */
function booleanTrap({ wanted }: Issue, node: Scalar): Words | undefined {
  const word = typeof node.value === 'string' ? node.value.toLowerCase() : ''
  if (!wanted?.includes('boolean')) return undefined
  if (word === 'true' || word === 'false')
    return {
      rule: 'yaml-boolean',
      message: `must be true or false, not the string ${JSON.stringify(node.value)}`,
      hint: isPlain(node) ? `write ${word}` : `write ${word}, without quotes`,
      fix: { value: word === 'true' },
    }
  const meant = Object.hasOwn(booleans, word) ? booleans[word] : undefined
  if (meant === undefined) return undefined
  return {
    rule: 'yaml-boolean',
    message: `must be true or false: in YAML 1.2 ${String(node.value)} is a string`,
    hint: `write ${meant}`,
    fix: { value: meant },
  }
}

/** `serial: 0012`, `value: true` where a string is wanted. */
function quoteTrap({ wanted }: Issue, node: Scalar): Words | undefined {
  const { value, source = '' } = node
  if (!wanted?.includes('string') || !isPlain(node) || source === '') return undefined
  if (typeof value === 'boolean')
    return {
      rule: 'yaml-quotes',
      message: `must be a string: ${source} without quotes is a boolean`,
      hint: `write "${source}"`,
      fix: { value: source },
    }
  if (typeof value === 'number')
    return {
      rule: 'yaml-number',
      message: `must be a string: ${word(source)} without quotes is the number ${value}`,
      hint: `write "${word(source)}"`,
      fix: { value: source },
    }
  return undefined
}
