import type { ErrorName } from '../../../contract/api/errors.ts'
import { ruleIssues } from '../../../contract/rules/document-rules.ts'
import type { Issue } from '../../../contract/schema/issues.ts'
import type { KindName } from '../../../contract/values.ts'
import type { ByPublisher, Warned } from '../caller.ts'
import { refusal, wireIssue } from '../refusal.ts'

/**
 * Holds a document against the rules that no schema can say: warnings go into the answer, an error is thrown as
 * `foreignName` when only the name is wrong, else as `invalid`.
 */
export function checkRules(scope: Warned & Pick<ByPublisher, 'publisher'>, kind: KindName, document: unknown): void {
  settle(scope, ruleIssues(kind, document, { publisher: scope.publisher }), (errors) =>
    errors.every(({ rule }) => rule === 'publisher-name') ? 'foreignName' : 'invalid',
  )
}

/** Puts warnings into the answer, and throws errors as what they come to. */
export function settle(scope: Warned, issues: readonly Issue[], kindOf: (errors: readonly Issue[]) => ErrorName): void {
  for (const issue of issues.filter(({ severity }) => severity === 'warning'))
    scope.warn({ code: issue.rule, ...wireIssue(issue) })
  const errors = issues.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw refusal(kindOf(errors), errors)
}
