import { isLoopback } from '../api/loopback.ts'
import { word } from '../schema/wording.ts'
import { addressesIn } from './addresses.ts'
import type { Finding, Rule } from './rule.ts'

/** Hosts of one network beside this machine: private and link-local addresses, and names that no public DNS has. */
const privateHosts = [
  /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/,
  /^0\.0\.0\.0$/,
  /^\[(::|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/,
  /\.(local|internal|lan|home\.arpa)$/,
  // A name without a dot.
  /^[^.:[\]]+\.?$/,
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

/** Addresses of resources and faces that apps elsewhere cannot read; they are final in what is published. */
export const privateAddress = {
  name: 'private-address',
  spec: '2.4',
  kinds: ['template', 'variation', 'face'],
  severity: 'warning',
  summary: 'addresses of resources and faces are not on this machine or its network',
  check: (document) =>
    addressesIn(document).flatMap(({ path, url, resource }): Finding[] => {
      // Other rules report addresses of faces that are none of http.
      if (typeof url !== 'string' || (resource === undefined && /^file:/i.test(url))) return []
      const message = unreachable(url)
      return message === undefined ? [] : [{ path, message, hint: 'write an https address that everybody can read' }]
    }),
} as const satisfies Rule

/** How many addresses in a document apps elsewhere cannot read. */
export const privateAddressesIn = (document: unknown): number => privateAddress.check(document).length
