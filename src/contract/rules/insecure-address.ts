import { suggest } from '../schema/suggest.ts'
import { word } from '../schema/wording.ts'
import { addressesIn } from './addresses.ts'
import { unreachable } from './private-address.ts'
import type { Finding, Rule } from './rule.ts'

/** The scheme of an address that no viewer loads: `htps` of `htps://a.example`; undefined for others, and for paths. */
function unknownScheme(url: string): string | undefined {
  const [, scheme] = /^([a-z][a-z\d+.-]{0,20}):\/{1,2}(?!\/)/i.exec(url) ?? []
  return scheme === undefined || known.includes(scheme.toLowerCase()) ? undefined : scheme.toLowerCase()
}

const known: readonly string[] = ['https', 'http', 'native', 'data', 'ipfs']

/** Addresses of resources and faces without encryption or with a misspelt scheme, which apps refuse unless they are set to allow them. */
export const insecureAddress: Rule = {
  name: 'insecure-address',
  spec: '2.4',
  kinds: ['template', 'variation', 'face'],
  severity: 'warning',
  summary: 'addresses of resources and faces begin with https:',
  check: (document) =>
    addressesIn(document).flatMap(({ path, url }): Finding[] => {
      if (typeof url !== 'string') return []
      // The schema of display_url refuses others itself.
      const scheme = path[0] === 'display_url' ? undefined : unknownScheme(url)
      if (scheme !== undefined) {
        const hint = `write ${suggest(scheme, ['https', 'http']) ?? 'https'}://`
        return [{ path, message: `${word(url)} has no scheme that viewers know`, hint }]
      }
      if (!/^http:/i.test(url) || unreachable(url) !== undefined) return []
      const message = `${word(url)} is not encrypted: iOS and Android load it only in apps that allow that, and web pages of https do not`
      return [{ path, message, hint: 'write https:// if its server has that' }]
    }),
}
