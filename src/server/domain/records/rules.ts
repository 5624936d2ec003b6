import type { ErrorName } from '../../../contract/api/errors.ts'
import { ruleIssues } from '../../../contract/rules/document-rules.ts'
import type { Issue } from '../../../contract/schema/issues.ts'
import type { KindName } from '../../../contract/values.ts'
import type { ByPublisher, Warned } from '../caller.ts'
import { refusal, wireIssue } from '../refusal.ts'

/**
 * Checks a document by the rules beyond its schema: warnings are added to the answer. Throws `foreignName` if only the
 * publisher in its name is wrong, else `invalid`.
 */
export function checkRules(scope: Warned & Pick<ByPublisher, 'publisher'>, kind: KindName, document: unknown): void {
  settle(scope, ruleIssues(kind, document, { publisher: scope.publisher }), (errors) =>
    errors.every(({ rule }) => rule === 'publisher-name') ? 'foreignName' : 'invalid',
  )
}

/** Adds warnings to the answer, and throws errors; `kindOf` says as which. */
export function settle(scope: Warned, issues: readonly Issue[], kindOf: (errors: readonly Issue[]) => ErrorName): void {
  for (const issue of issues.filter(({ severity }) => severity === 'warning'))
    scope.warn({ code: issue.rule, ...wireIssue(issue) })
  const errors = issues.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw refusal(kindOf(errors), errors)
}
