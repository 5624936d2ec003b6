import { capped, type Issue } from '../schema/issues.ts'
import type { KindName } from '../values.ts'
import { actionRules } from './action-rules.ts'
import { faceRules } from './face-rules.ts'
import { insecureAddress } from './insecure-address.ts'
import { nameRules } from './name-rules.ts'
import { privateAddress } from './private-address.ts'
import { publisherText } from './publisher-text.ts'
import type { Facts, Finding, Rule } from './rule.ts'
import { vatomRules } from './vatom-rules.ts'

/** What a schema cannot say about a single document, in the order it is reported. */
export const rules: readonly Rule[] = [
  ...nameRules,
  ...vatomRules,
  ...faceRules,
  publisherText,
  privateAddress,
  insecureAddress,
  ...actionRules,
]

/** All findings of the rules for a kind of document; of one that is too large, only that it is. */
export function ruleIssues(kind: KindName, document: unknown, facts: Facts): Issue[] {
  const ofKind = rules.filter(({ kinds }) => kinds.includes(kind))
  const found = (some: readonly Rule[]) => some.flatMap((rule) => issuesOf(rule, rule.check(document, facts, kind)))
  const oversize = found(ofKind.filter(({ isBound }) => isBound))
  return oversize.length > 0 ? oversize : found(ofKind.filter(({ isBound }) => !isBound))
}

const issuesOf = ({ name: rule, severity, spec }: Rule, findings: readonly Finding[]): Issue[] =>
  capped(findings, (finding) => ({ ...finding, rule, severity, ...(spec && { spec }) }))
