import { kindOf } from '../../contract/kinds/kinds.ts'
import { at, type Path } from '../../contract/schema/path.ts'
import { type Finding, finding } from '../finding.ts'
import { booleanMeant } from '../yaml/traps.ts'
import type { Candidate } from './read-file.ts'

/**
 * Warnings of words such as `no` among values of the publisher's choosing: they are texts in YAML 1.2, and no schema says
 * whether a boolean is meant. `y` and `n` are texts as likely as not.
 */
export const wordFindings = ({ raw, kind }: Pick<Candidate, 'raw' | 'kind'>): Finding[] =>
  raw.place(
    kindOf(kind)
      .free.flatMap((place) => wordsIn(at(raw.value, ...place), place))
      .filter((path) => raw.find(path)?.place.form === 'PLAIN')
      .map((path) => wordFinding(path, String(at(raw.value, ...path)))),
  )

function wordsIn(value: unknown, path: Path): Path[] {
  if (typeof value === 'string') return value.length > 1 && booleanMeant(value) !== undefined ? [path] : []
  if (Array.isArray(value)) return value.flatMap((entry, index) => wordsIn(entry, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => wordsIn(inner, [...path, key]))
}

const wordFinding = (path: Path, word: string): Finding =>
  finding('yaml-word', `${word} without quotes is a text here, not ${booleanMeant(word)}`, {
    path,
    severity: 'warning',
    hint: `write ${booleanMeant(word)}, or "${word}" if a text is meant`,
  })
