import type { ErrorName } from '../../../contract/api/errors.ts'
import { isLoopback } from '../../../contract/api/loopback.ts'
import { ruleIssues } from '../../../contract/rules/document-rules.ts'
import type { Issue } from '../../../contract/schema/issues.ts'
import { parsedUrl } from '../../../contract/schema/parsed-url.ts'
import type { KindName } from '../../../contract/values.ts'
import type { ByPublisher, Warned } from '../caller.ts'
import { refusal, wireIssue } from '../refusal.ts'

/** A publisher's request, and the address by which it reached the service. */
interface Checked extends Warned, Pick<ByPublisher, 'publisher'> {
  readonly baseUrl: string
}

/**
 * Checks a document by the rules beyond its schema: warnings are added to the answer. Throws `foreignName` if only the
 * publisher in its name is wrong, else `invalid`.
 */
export function checkRules(scope: Checked, kind: KindName, document: unknown): void {
  const { publisher, baseUrl } = scope
  const localPorts = isLoopback(parsedUrl(baseUrl)?.hostname ?? '') ? [] : undefined
  settle(scope, ruleIssues(kind, document, { publisher, localPorts }), (errors) =>
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
