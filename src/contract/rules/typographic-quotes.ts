import { word } from '../schema/wording.ts'
import type { Finding } from './rule.ts'

/** Quotes that chats and word processors write in place of straight ones, which are a part of a text for YAML. */
const typographic = /[\u00ab\u00bb\u2018-\u201f]/g

/** A text without typographic quotes. */
export const unquoted = (text: string): string => text.replace(typographic, '')

/** What is wrong with a name or an address that has typographic quotes; undefined for others. */
export function misquoted(text: string): Pick<Finding, 'message' | 'hint'> | undefined {
  const meant = unquoted(text)
  if (meant === text) return undefined
  return {
    message: `${word(text)} has typographic quotes, which are a part of it for YAML`,
    hint: `write ${meant}, in straight quotes or none`,
  }
}
