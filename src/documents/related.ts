import type { Issue } from '../contract/issues.ts'
import { overlayIssues } from '../contract/overlay-rules.ts'
import { at } from '../contract/path.ts'
import type { Facts } from '../contract/rule.ts'
import { faceResourceIssues } from '../contract/rules.ts'
import type { Kind } from '../contract/values.ts'
import { documentIssues } from './check.ts'
import type { Candidate } from './file.ts'

/** Sound templates of a run by name. */
export type Templates = (name: unknown) => unknown

/** The templates among documents; one with errors of its own is not held against others. */
export function templatesOf(candidates: readonly Candidate[], facts: Facts): Templates {
  const byName = new Map<unknown, Candidate>()
  for (const one of candidates) if (one.kind === 'template' && !byName.has(one.name)) byName.set(one.name, one)
  return (name) => {
    const found = byName.get(name)
    if (!found?.raw.sound || hasErrors(found.raw.findings)) return undefined
    return hasErrors(documentIssues('template', found.value, facts)) ? undefined : found.value
  }
}

const hasErrors = (issues: readonly Pick<Issue, 'severity'>[]) => issues.some(({ severity }) => severity === 'error')

/** Issues that only its template can show, when that is at hand: Spec 2.5, 4.5. */
export function relatedIssues(kind: Kind, value: unknown, templates: Templates): Issue[] {
  if (kind !== 'variation' && kind !== 'face') return []
  const template = templates(at(value, 'template'))
  if (template === undefined) return []
  return kind === 'variation' ? overlayIssues(value, template) : faceResourceIssues(value, template)
}
