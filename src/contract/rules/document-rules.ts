import { capped, type Issue } from '../schema/issues.ts'
import type { KindName } from '../values.ts'
import { actionRules } from './action-rules.ts'
import { faceRules } from './face-rules.ts'
import { nameRules } from './name-rules.ts'
import { privateAddress } from './private-address.ts'
import type { Facts, Rule } from './rule.ts'
import { vatomRules } from './vatom-rules.ts'

/** What a schema cannot say about a single document, in the order it is reported. */
export const rules: readonly Rule[] = [...nameRules, ...vatomRules, ...faceRules, privateAddress, ...actionRules]

/** All findings of the rules for a kind of document. */
export const ruleIssues = (kind: KindName, document: unknown, facts: Facts): Issue[] =>
  rules
    .filter((rule) => rule.kinds.includes(kind))
    .flatMap((rule) =>
      capped(rule.check(document, facts, kind), (finding) => ({
        ...finding,
        rule: rule.name,
        severity: rule.severity,
        spec: rule.spec,
      })),
    )
