import { expect, test } from 'vitest'
import { printPath } from '../../src/contract/schema/path.ts'
import { type Body, bodies, issuesOf, places, put } from '../fixtures/contract-documents.ts'

/**
 * A place in a body, a value put there, and what comes of it: `ok`, or the rule that refuses it, perhaps at another
 * place (`rule @ place`), and the words of message and hint.
 */
export type Case = readonly [place: string, value: unknown, outcome: string, words?: RegExp]

/** One test a case, named by the specification's section. */
export function cases(section: string, body: Body, rows: readonly Case[], base: unknown = bodies[body]()): void {
  for (const [place, value, outcome, words] of rows)
    test(`§${section} ${body} ${place} = ${short(value)}: ${outcome === 'ok' ? 'accepted' : `refused, ${outcome}`}`, () => {
      const errors = issuesOf(body, put(base, place, value)).filter((issue) => issue.severity === 'error')
      if (outcome === 'ok') return expect(errors).toEqual([])
      const [rule = '', at = place] = outcome.split(' @ ')
      const found = errors.find((issue) => issue.rule === rule && printPath(issue.path) === places(at))
      expect(found, JSON.stringify(errors)).toBeDefined()
      if (words) expect(`${found?.message} (${found?.hint ?? ''})`).toMatch(words)
    })
}

function short(value: unknown): string {
  const text = String(JSON.stringify(value))
  return text.length > 60 ? `${text.slice(0, 50)}… (${text.length})` : text
}
