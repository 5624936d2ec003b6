import { limits } from '../../contract/limits.ts'

// Control characters, halves of surrogate pairs, line separators, and what turns the direction of text around.
const unfit = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu

/**
 * The name of an asset: the base name of what its sender calls the file, never a path, without characters that no
 * list or address should hold; `asset` where nothing is left.
 */
export function assetName(given: string): string {
  const base = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
  const name = base
    .replace(unfit, '')
    .trim()
    .slice(0, limits.name)
    .replace(/\p{Cs}$/u, '')
    .trim()
  return /^\.{0,2}$/.test(name) ? 'asset' : name
}
