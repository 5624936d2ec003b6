import { isLoopback } from '../api/loopback.ts'
import { parsedUrl, portOf } from '../schema/parsed-url.ts'
import { at, printPath } from '../schema/path.ts'
import { word } from '../schema/wording.ts'
import { addressesIn } from './addresses.ts'
import { isPrivateAddress } from './private-ranges.ts'
import type { Facts, Finding, Rule } from './rule.ts'

/** Names that no public DNS has (RFC 6761, 6762, 8375), and those without a dot. */
const privateNames = [/\.(local|localdomain|internal|intranet|lan|home|corp|home\.arpa|test|invalid)$/, /^[^.:[\]]+$/]

/** Whether only this machine or its network can reach a host, as addresses have it. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  return isLoopback(host) || isPrivateAddress(host) || privateNames.some((names) => names.test(host))
}

/** Why apps elsewhere cannot read an address; undefined if they may. */
export function unreachable(url: string): string | undefined {
  if (/\$[\w{(]|@[A-Za-z][\w.]*@/.test(url)) return `the variable in ${word(url)} was not expanded`
  if (/^(file|blob):/i.test(url)) return `${word(url)} is a file of one machine: apps elsewhere cannot read it`
  if (/^https?:\/{3,}[^/]/i.test(url)) return `${word(url)} names no host: apps cannot read it`
  const parsed = /^https?:/i.test(url) ? parsedUrl(url) : undefined
  if (parsed === undefined) return undefined
  return isPrivateHost(parsed.hostname)
    ? `only this machine or its network can reach ${word(url)}: apps elsewhere cannot`
    : undefined
}

/** Whether the value of a resource is the path of a file, such as `./card.png`. */
export function isFilePath(resource: unknown): boolean {
  const value = at(resource, 'value', 'value')
  if (at(resource, 'value', 'resourceValueType') !== 'ResourceValueType::URI' || typeof value !== 'string') return false
  return /^(?!\/\/)[^:]+$/.test(value) && unreachable(value) === undefined
}

/** The port of an asset of a service on this machine, from its address as an upload prints it; undefined for any other. */
function portOfLocalAsset(url: string): string | undefined {
  const parsed = /^https?:/i.test(url) ? parsedUrl(url) : undefined
  const isOne =
    parsed !== undefined && isLoopback(parsed.hostname) && /^\/assets\/[\da-f-]{36}(\/|$)/.test(parsed.pathname)
  return isOne ? portOf(parsed) : undefined
}

/** What is wrong with the address of a resource or face; `localPorts` are those of the service on this machine that it is for. */
function faultOf(url: string, localPorts: Facts['localPorts']): Pick<Finding, 'message' | 'hint'> | undefined {
  const port = localPorts && portOfLocalAsset(url)
  if (localPorts === undefined || port === undefined) {
    const message = unreachable(url)
    return message === undefined ? undefined : { message, hint: publicAddress }
  }
  const [running] = localPorts
  if (running === undefined || localPorts.includes(port)) return undefined
  return {
    message: `${word(url)} answers while vatom serve runs at port ${port}, and it runs at port ${running}`,
    hint: `start it there: vatom serve --port ${port}; or write the address that vatom asset list prints`,
  }
}

const publicAddress = 'write an https address that everybody can read'

/**
 * Addresses of resources and faces that apps elsewhere cannot read; they are final in what is published. Those of the assets
 * of a service on this machine are right there, and only there: at the port where it runs.
 */
export const privateAddress = {
  name: 'private-address',
  spec: '2.4',
  kinds: ['template', 'variation', 'face'],
  severity: 'warning',
  summary:
    'addresses of resources and faces are not paths of files, nor on this machine or its network; those of assets of a service on this machine are right for that service, at the port where it runs',
  check: (document, { localPorts }: Facts = {}) =>
    addressesIn(document).flatMap(({ path, url, resource }): Finding[] => {
      if (isFilePath(resource)) {
        const message = `${word(url)} is the path of a file, not an address: apps cannot read it`
        const hint = `${publicAddress}; to upload the file: vatom asset upload FILE`
        return [{ path, message, hint, names: String(url) }]
      }
      // Other rules report addresses of faces that are none of http.
      if (typeof url !== 'string' || (resource === undefined && /^file:/i.test(url))) return []
      const fault = faultOf(url, localPorts)
      return fault === undefined ? [] : [{ path, ...fault }]
    }),
} as const satisfies Rule

/** Whether it was to be an address of the web, and names no host as one does. Other rules report it. */
const isNone = (url: unknown): boolean =>
  typeof url === 'string' && (url.startsWith('//') || (/^https?:/i.test(url) && parsedUrl(url) === undefined))

/** How many addresses in a document apps elsewhere cannot read, those of assets on this machine included. */
export function privateAddressesIn(document: unknown): number {
  const found = new Set(privateAddress.check(document).map(({ path }) => printPath(path)))
  return addressesIn(document).filter(({ path, url }) => found.has(printPath(path)) || isNone(url)).length
}
