import { word } from '../schema/wording.ts'
import { addressesIn } from './addresses.ts'
import { unreachable } from './private-address.ts'
import type { Finding, Rule } from './rule.ts'

/** Addresses of resources and faces without encryption, which apps refuse unless they are set to allow them. */
export const insecureAddress: Rule = {
  name: 'insecure-address',
  spec: '2.4',
  kinds: ['template', 'variation', 'face'],
  severity: 'warning',
  summary: 'addresses of resources and faces begin with https:',
  check: (document) =>
    addressesIn(document).flatMap(({ path, url }): Finding[] => {
      if (typeof url !== 'string' || !/^http:/i.test(url) || unreachable(url) !== undefined) return []
      const message = `${word(url)} is not encrypted: iOS and Android load it only in apps that allow that, and web pages of https do not`
      return [{ path, message, hint: 'write https:// if its server has that' }]
    }),
}
