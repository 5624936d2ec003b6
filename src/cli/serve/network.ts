import { isIP } from 'node:net'
import type { Network } from '../../server/service.ts'

/** The network that a text such as `172.17.0.0/16` names, or one address; undefined for other texts. */
export function networkOf(text: string): Network | undefined {
  const [, address = '', length] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const version = isIP(address)
  if (version === 0) return undefined
  const bits = version === 4 ? 32 : 128
  const prefix = Number(length ?? bits)
  return prefix > bits ? undefined : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}
