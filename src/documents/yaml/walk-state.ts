import type { Alias, ParsedNode } from 'yaml'
import type { Path } from '../../contract/schema/path.ts'
import { type Finding, finding, type Range } from '../finding.ts'

/** A value with an anchor, which aliases stand for. */
export interface Anchor {
  readonly node: ParsedNode
  value: unknown
  /** Number of values in it, with those that aliases stand for; undefined while it is being read. */
  size?: number
}

/** Where an anchor of a name first stands in a file, in any of its documents; undefined if it does not. */
export type FirstAnchor = (name: string) => number | undefined

/** Finds anchors in the text of a file, which is read once, when the first is looked for. */
export function anchorFinder(text: string): FirstAnchor {
  let offsets: ReadonlyMap<string, number> | undefined
  return (name) => {
    offsets ??= new Map(
      [...text.matchAll(/(?<!\S)&(\S+)/g)].reverse().map(({ 1: found = '', index }) => [found, index]),
    )
    return offsets.get(name)
  }
}

/** A number that may be meant as a text: `+41`, `1.10`, `0x1F`, `12e4`. */
export interface PerhapsText {
  readonly path: Path
  readonly range: Range
  readonly source: string
  readonly value: number
}

/** The state of a walk through a document. */
export interface Walk {
  readonly findings: Finding[]
  readonly broken: Path[]
  readonly perhapsTexts: PerhapsText[]
  readonly targets: Map<Alias, ParsedNode>
  readonly anchors: Map<string, Anchor>
  readonly path: (string | number)[]
  readonly text: string
  readonly firstAnchor: FirstAnchor
  size: number
  aliased: number
  /** Characters of the names in `path`. */
  named: number
}

type Words = Pick<Finding, 'rule' | 'message' | 'hint' | 'edit'>

/** Reports something wrong at the current path, whose value then is left out. */
export function breakAt(state: Walk, range: Range, { rule, message, ...rest }: Words): undefined {
  const path = [...state.path]
  state.broken.push(path)
  state.findings.push(finding(rule, message, { ...rest, range, path }))
}
/** A node's own range. */
export const rangeOf = ({ range }: { range: readonly [number, number, number] }): Range => [range[0], range[1]]
