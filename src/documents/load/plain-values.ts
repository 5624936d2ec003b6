import { kindOf } from '../../contract/kinds/kinds.ts'
import { at, isAtOrBelow, type Path } from '../../contract/schema/path.ts'
import { word } from '../../contract/schema/wording.ts'
import { type Finding, finding } from '../finding.ts'
import { booleanMeant } from '../yaml/traps.ts'
import type { Candidate } from './read-file.ts'

/** Warnings of values of the publisher's choosing that YAML may read as something else than was meant. */
export const plainFindings = (candidate: Pick<Candidate, 'raw' | 'kind'>): Finding[] => [
  ...wordFindings(candidate),
  ...numberFindings(candidate),
]

/** Warnings of numbers that are perhaps texts, such as phone numbers and versions: `+41` is read as 41, `1.10` as 1.1. */
const numberFindings = ({ raw, kind }: Pick<Candidate, 'raw' | 'kind'>): Finding[] =>
  raw.perhapsTexts
    .filter(({ path }) => kindOf(kind).free.some((place) => isAtOrBelow(path, place)))
    .map(({ source, value, ...where }) =>
      finding('yaml-number', `${word(source)} is read as the number ${value}`, {
        ...where,
        severity: 'warning',
        hint: `write ${value}, or "${word(source)}" if a text is meant`,
      }),
    )

/**
 * Warnings of words such as `no` among values of the publisher's choosing: they are texts in YAML 1.2, and no schema says
 * whether a boolean is meant. `y` and `n` are texts as likely as not.
 */
const wordFindings = ({ raw, kind }: Pick<Candidate, 'raw' | 'kind'>): Finding[] =>
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

const wordFinding = (path: Path, text: string): Finding =>
  finding('yaml-word', `${text} without quotes is a text here, not ${booleanMeant(text)}`, {
    path,
    severity: 'warning',
    hint: `write ${booleanMeant(text)}, or "${text}" if a text is meant`,
  })
