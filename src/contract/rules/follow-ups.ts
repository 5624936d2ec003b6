import type { Issue } from '../schema/issues.ts'
import { at, isAtOrBelow, type Path } from '../schema/path.ts'
import { suggest } from '../schema/suggest.ts'
import { type KindName, vatomType, vatomTypeKey } from '../values.ts'
import type { Faulty } from './catalog.ts'

/** Whether an issue of a document with its template may only be there because of errors that one of the two has by itself. */
export function isFollowUp(
  issue: Issue,
  kind: KindName,
  { own, template }: { readonly own: readonly Pick<Issue, 'path'>[]; readonly template: Faulty },
): boolean {
  const section = templateSection(kind, issue)
  const place = isOverlay(issue) || kind === 'face' ? issue.path : section
  const isMissing = at(template.member.value, ...section) === undefined
  return (
    own.some(({ path }) => overlaps(path, place)) ||
    template.errors.some(({ path }) => overlaps(path, section) || (isMissing && isMisspelt(section, path)))
  )
}

/** Whether a field that the template has is meant to be one on the way to a section. */
const isMisspelt = (section: Path, field: Path) =>
  isAtOrBelow(section, field.slice(0, -1)) &&
  suggest(String(field.at(-1)), [String(section[field.length - 1])]) !== undefined

const isOverlay = ({ rule }: Issue) => rule.startsWith('overlay-')

/** The part of the template that an issue is about. */
function templateSection(kind: KindName, issue: Issue): Path {
  if (kind === 'face') return [...vatomType, 'resources']
  return isOverlay(issue) ? issue.path.slice(0, issue.path[1] === vatomTypeKey ? 3 : 2) : ['vatom']
}

const overlaps = (one: Path, other: Path) => isAtOrBelow(one, other) || isAtOrBelow(other, one)
