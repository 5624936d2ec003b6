import { type Alias, isScalar, type ParsedNode } from 'yaml'
import { breakAt, rangeOf, type Walk } from './walk-state.ts'

const core = 'tag:yaml.org,2002:'
const tagged: Readonly<Record<string, (value: unknown) => boolean>> = {
  '!': () => true,
  [`${core}str`]: (value) => typeof value === 'string',
  [`${core}int`]: (value) => typeof value === 'number',
  [`${core}float`]: (value) => typeof value === 'number',
  [`${core}bool`]: (value) => typeof value === 'boolean',
  [`${core}null`]: (value) => value === null,
  [`${core}map`]: (value) => value === undefined,
  [`${core}seq`]: (value) => value === undefined,
}

/** Whether a node has no tag, or one that fits its value; any other tag is reported. */
export function untagged(node: Exclude<ParsedNode, Alias>, state: Walk): boolean {
  if (node.tag === undefined) return true
  const fits = Object.hasOwn(tagged, node.tag) ? tagged[node.tag] : undefined
  if (fits?.(isScalar(node) ? node.value : undefined)) return true
  const tag = node.tag.replace(core, '!!')
  const message = fits ? `the value does not fit its tag ${tag}` : `the tag ${tag} has no meaning here`
  const [start, end] = rangeOf(node)
  const hint = 'leave it out, or quote the text'
  breakAt(state, [tagStart(state.text, start), end], { rule: 'yaml-tag', message, hint })
  return false
}

/** The offset at which the tag before an offset begins. */
function tagStart(text: string, offset: number): number {
  let start = Math.max(0, text.lastIndexOf('!', offset - 1))
  while (text.charAt(start - 1) === '!') start--
  return start
}
