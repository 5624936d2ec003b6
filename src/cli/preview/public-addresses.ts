import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isPrivateHost } from '../../contract/rules/private-address.ts'
import { parsedUrl } from '../../contract/schema/parsed-url.ts'
import { nameList } from '../../contract/schema/suggest.ts'
import type { Output } from '../io/output.ts'
import { styled } from '../io/text.ts'
import type { RequestPolicy } from './request-filter.ts'

/** Finds the addresses that a name has; rejects for an unknown one. */
type Resolver = (name: string) => Promise<readonly LookupAddress[]>

/** The addresses that pictures show nothing of, as they are on this machine or its network. */
export class PublicAddresses {
  readonly #refused = new Set<string>()
  readonly #addressesOf: Resolver
  /** Whether hosts are on this machine or its network: each is looked up once. */
  readonly #inside = new Map<string, Promise<boolean>>()

  constructor(addressesOf: Resolver = (name) => lookup(name, { all: true })) {
    this.#addressesOf = addressesOf
  }

  /** Whether what is at an address may be shown. */
  async mayLoad(url: string): Promise<boolean> {
    const parsed = parsedUrl(url)
    if (parsed === undefined) return false
    if (!/^https?:$/.test(parsed.protocol)) return true
    if (!(await this.#isInside(parsed.hostname))) return true
    // Without its query, in which a redirect may have what only its receiver may know.
    this.#refused.add(parsed.origin + parsed.pathname)
    return false
  }

  /** Lets a page load these alone, and all of its own origin. */
  policyFor(page: string): RequestPolicy {
    return { own: new URL(page).origin, mayLoad: (url) => this.mayLoad(url) }
  }

  #isInside(host: string): Promise<boolean> {
    const known = this.#inside.get(host) ?? this.#leadsInside(host)
    this.#inside.set(host, known)
    return known
  }

  /** Whether a host is on this machine or its network. One that is not found here may be known to a proxy alone. */
  async #leadsInside(host: string): Promise<boolean> {
    if (isPrivateHost(host)) return true
    const found = await this.#addressesOf(host).catch(() => [])
    return found.some(({ address, family }) => isPrivateHost(family === 6 ? hostOf6(address) : address))
  }

  /** Warns of what was not shown. */
  warn(output: Output): void {
    if (this.#refused.size === 0) return
    output.warn(
      styled`Not drawn, as only this machine or its network can reach it: ${nameList([...this.#refused], 10)}; to draw it all the same: --allow-private-addresses`,
    )
  }
}

/** An IPv6 address, which may name an interface, as addresses of the web have it. */
const hostOf6 = (address: string): string => new URL(`http://[${address.replace(/%.*/, '')}]`).hostname
