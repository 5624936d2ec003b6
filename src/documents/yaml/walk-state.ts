import type { Alias, ParsedNode } from 'yaml'
import type { Path } from '../../contract/schema/path.ts'
import { type Finding, finding, type Range } from '../finding.ts'

/** A value that aliases may stand for. */
export interface Anchor {
  readonly node: ParsedNode
  value: unknown
  /** Values below it, aliases counted as what they stand for; undefined while it is being read. */
  size?: number
}
/** What is known on the way through a document. */
export interface Walk {
  readonly findings: Finding[]
  readonly broken: Path[]
  readonly targets: Map<Alias, ParsedNode>
  readonly anchors: Map<string, Anchor>
  readonly path: (string | number)[]
  readonly text: string
  size: number
  aliased: number
}

/** Reports something wrong at a node, whose value then is left out. */
export function breakAt(state: Walk, range: Range, rule: string, message: string, hint?: string): undefined {
  breakWith(state, { rule, message, range, ...(hint && { hint }) })
}

/** The same for what is worded elsewhere. */
export function breakWith(state: Walk, { rule, message, ...rest }: Words): void {
  const path = [...state.path]
  state.broken.push(path)
  state.findings.push(finding(rule, message, { ...rest, path }))
}
type Words = Pick<Finding, 'rule' | 'message' | 'hint' | 'range' | 'edit'>
/** A node's own range. */
export const rangeOf = ({ range }: { range: readonly [number, number, number] }): Range => [range[0], range[1]]
