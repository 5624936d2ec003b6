import { parsedUrl } from './schema/parsed-url.ts'

/** Hosts that are reserved for examples: nothing can be loaded from them. RFC 2606. */
const exampleHost = /(^|\.)(example|example\.(com|net|org))$/

/** Whether an address is one of an example, at which nothing can be loaded. */
export const isExampleAddress = (url: string): boolean =>
  /^https?:/i.test(url) && exampleHost.test(parsedUrl(url)?.hostname ?? '')

/** Whether a placeholder can stand for a resource of a type. */
export const isImageType = (type: string): boolean => /^ResourceTypes?::Image::/.test(type)

/** Colours of a background and of a text on it, of sufficient contrast. */
const colours = [
  ['#7c3a12', '#ffe9d6'],
  ['#1d4f6b', '#dff2fd'],
  ['#2f5a32', '#e3f5e1'],
  ['#5c2c63', '#f7e4fa'],
  ['#6b4d00', '#fff2c9'],
] as const

/** An image that shows a name. */
export function placeholderSvg(name: string): string {
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  const [back, front] = colours[sum % colours.length] ?? colours[0]
  const size = Math.min(20, Math.floor(240 / Math.max(1, name.length)))
  const text = name.replaceAll(/[^\p{L}\p{N} ._-]/gu, ' ')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240" viewBox="0 0 240 240"><rect width="240" height="240" rx="18" fill="${back}"/><circle cx="120" cy="92" r="34" fill="none" stroke="${front}" stroke-width="7"/><path d="M96 116l24-24 24 24" fill="none" stroke="${front}" stroke-width="7" stroke-linejoin="round"/><text x="120" y="176" fill="${front}" font-family="system-ui,sans-serif" font-size="${size}" text-anchor="middle">${text}</text></svg>`
}
