import { createHash } from 'node:crypto'
import type { Problem } from '../load/loaded.ts'

/**
 * Names problems so that a problem keeps its name in the next run, even if its line moves. Several equal problems are
 * numbered.
 */
export function fingerprints(): (problem: Problem) => string {
  const seen = new Map<string, number>()
  return ({ file, rule, path, message }) => {
    const name = createHash('sha256')
      .update(JSON.stringify([file, rule, path, message]))
      .digest('hex')
      .slice(0, 32)
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return `${name}:${count}`
  }
}
