import { isLoopback } from '../api/loopback.ts'
import { at, listAt, type Path } from '../schema/path.ts'
import { word } from '../schema/wording.ts'
import { vatomType } from '../values.ts'
import type { Finding, Rule } from './rule.ts'

/** Hosts of one network beside this machine: private and link-local addresses, and names that no public DNS has. */
const privateHosts = [
  /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/,
  /^0\.0\.0\.0$/,
  /^\[(::|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/,
  /\.(local|internal|lan|home\.arpa)$/,
]

/** Why apps elsewhere cannot read an address; undefined if they may. */
function unreachable(url: string): string | undefined {
  if (/\$(\w|\{)/.test(url)) return `the variable in ${word(url)} was not expanded`
  if (/^file:/i.test(url)) return `${word(url)} is a file of one machine: apps elsewhere cannot read it`
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return undefined
  const { hostname } = new URL(url)
  const isPrivate = isLoopback(hostname) || privateHosts.some((host) => host.test(hostname))
  return isPrivate ? `only this machine or its network can reach ${word(url)}: apps elsewhere cannot` : undefined
}

const urlsOf = (document: unknown): readonly (readonly [Path, unknown])[] => [
  ...listAt(document, ...vatomType, 'resources').map(
    (entry, index) => [[...vatomType, 'resources', index, 'value', 'value'], at(entry, 'value', 'value')] as const,
  ),
  // Other rules report addresses of faces that are none of http.
  ...['display_url', 'package_url']
    .map((key) => [[key], at(document, key)] as const)
    .filter(([, url]) => !/^file:/i.test(String(url))),
]

/** Addresses of resources and faces that apps elsewhere cannot read; they are final in what is published. */
export const privateAddress = {
  name: 'private-address',
  spec: '2.4',
  kinds: ['template', 'variation', 'face'],
  severity: 'warning',
  summary: 'addresses of resources and faces are not on this machine or its network',
  check: (document) =>
    urlsOf(document).flatMap(([path, url]): Finding[] => {
      const message = typeof url === 'string' ? unreachable(url) : undefined
      return message === undefined ? [] : [{ path, message, hint: 'write an https address that everybody can read' }]
    }),
} as const satisfies Rule
