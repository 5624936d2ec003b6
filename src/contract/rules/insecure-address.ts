import { suggest } from '../schema/suggest.ts'
import { word } from '../schema/wording.ts'
import { addressesIn } from './addresses.ts'
import { unreachable } from './private-address.ts'
import type { Finding, Rule } from './rule.ts'

/** The scheme that a misspelt one is meant to be: `https` of `htps://a.example`. */
function schemeMeant(url: string): string | undefined {
  const [, scheme = ''] = /^([a-z]{2,8}):\/\//i.exec(url) ?? []
  const written = scheme.toLowerCase()
  return known.includes(written) ? undefined : suggest(written, ['https', 'http'])
}

const known: readonly string[] = ['https', 'http', 'native', 'file', 'data', 'ipfs', 'ftp', 'ws', 'wss', '']

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
      const meant = schemeMeant(url)
      if (meant) return [{ path, message: `${word(url)} has no scheme that viewers know`, hint: `write ${meant}://` }]
      if (!/^http:/i.test(url) || unreachable(url) !== undefined) return []
      const message = `${word(url)} is not encrypted: iOS and Android load it only in apps that allow that, and web pages of https do not`
      return [{ path, message, hint: 'write https:// if its server has that' }]
    }),
}
