import { groupsOf } from '../schema/ip-groups.ts'

/**
 * Ranges of IPv4 that cannot be reached from everywhere, by the registry of special-purpose addresses (RFC 6890, 8190). A
 * range counts as a whole: of the few addresses in some that can be reached, none serves what a document shows.
 */
const ranges4 = [
  '0.0.0.0/8', // RFC 791
  '10.0.0.0/8', // RFC 1918
  '100.64.0.0/10', // RFC 6598
  '127.0.0.0/8', // RFC 1122
  // Of virtual machines of one cloud, which serves them their configuration there.
  '168.63.129.16/32',
  '169.254.0.0/16', // RFC 3927
  '172.16.0.0/12', // RFC 1918
  '192.0.0.0/24', // RFC 6890
  '192.0.2.0/24', // RFC 5737
  '192.168.0.0/16', // RFC 1918
  '198.18.0.0/15', // RFC 2544
  '198.51.100.0/24', // RFC 5737
  '203.0.113.0/24', // RFC 5737
  '240.0.0.0/4', // RFC 1112, with 255.255.255.255 of RFC 919
] as const

/** The same of IPv6. */
const ranges6 = [
  '::/128', // RFC 4291
  '::1/128', // RFC 4291
  '64:ff9b:1::/48', // RFC 8215
  '100::/64', // RFC 6666
  '100:0:0:1::/64', // RFC 9780
  '2001::/23', // RFC 2928
  '2001:db8::/32', // RFC 3849
  '3fff::/20', // RFC 9637
  '5f00::/16', // RFC 9602
  'fc00::/7', // RFC 4193
  'fe80::/10', // RFC 4291
  'fec0::/10', // RFC 3879
] as const

/** Ranges of IPv6 whose addresses stand for those of IPv4, which are behind these bits. */
const ranges4in6 = [
  '::ffff:0:0/96', // RFC 4291
  '64:ff9b::/96', // RFC 6052
  '2002::/16', // RFC 3056
] as const

/** Whether a host, as addresses have it, is an IP address in a range that cannot be reached from everywhere. */
export function isPrivateAddress(host: string): boolean {
  if (/^\d+(\.\d+){3}$/.test(host)) return isPrivate4(bits4(host))
  const [, address] = /^\[(.+)\]$/.exec(host) ?? []
  return address !== undefined && isPrivate6(bits6(address))
}

const isPrivate4 = (bits: string): boolean => prefixes4.some((prefix) => bits.startsWith(prefix))

const isPrivate6 = (bits: string): boolean =>
  prefixes6.some((prefix) => bits.startsWith(prefix)) ||
  prefixes4in6.some((prefix) => bits.startsWith(prefix) && isPrivate4(bits.slice(prefix.length, prefix.length + 32)))

const bits4 = (address: string): string => binary(address.split('.').map(Number), 8)

const bits6 = (address: string): string => binary(groupsOf(address), 16)

const binary = (numbers: readonly number[], size: number): string =>
  numbers.map((number) => number.toString(2).padStart(size, '0')).join('')

/** The bits that all addresses of a range begin with. */
const prefixOf =
  (bits: (address: string) => string) =>
  (range: string): string => {
    const [address = '', length] = range.split('/')
    return bits(address).slice(0, Number(length))
  }

const prefixes4 = ranges4.map(prefixOf(bits4))
const prefixes6 = ranges6.map(prefixOf(bits6))
const prefixes4in6 = ranges4in6.map(prefixOf(bits6))
