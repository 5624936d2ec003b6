import { ApiError, type ErrorName, errorAt } from '../../contract/api/errors.ts'
import { ruleIssues } from '../../contract/rules/document-rules.ts'
import type { Issue } from '../../contract/schema/issues.ts'
import type { Kind } from '../../contract/values.ts'
import type { PublisherScope, Scope, UserScope } from '../operations/handler.ts'
import { refusal } from './refusal.ts'

/**
 * Holds a document against the rules that no schema can say: warnings go into the answer, an error is thrown as
 * `foreignName` when only the name is wrong, else as `invalid`.
 */
export function checkRules(scope: PublisherScope, kind: Kind, document: unknown): void {
  settle(scope, ruleIssues(kind, document, { publisher: scope.publisher }), (errors) =>
    errors.every(({ rule }) => rule === 'publisher-name') ? 'foreignName' : 'invalid',
  )
}

/** Puts warnings into the answer, and throws errors as what they come to. */
export function settle(scope: Scope, issues: readonly Issue[], kindOf: (errors: readonly Issue[]) => ErrorName): void {
  for (const { message, hint } of issues.filter(({ severity }) => severity === 'warning'))
    scope.warn(hint ? `${message}; ${hint}` : message)
  const errors = issues.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw refusal(kindOf(errors), errors)
}

/** Refuses a name that does not begin with the publisher's domain name; only clients replace `$publisher`. Spec 2.2. */
export function checkName(scope: PublisherScope, name: string, path: string): void {
  const prefix = `${scope.publisher}::`
  if (name.startsWith(prefix) && name.length > prefix.length) return
  throw errorAt(path, 'foreignName', `the name must begin with ${prefix}`)
}

/** Refuses to touch another publisher's record. */
export function checkOwn(
  scope: PublisherScope,
  record: { readonly publisher_fqdn: string; readonly name: string },
): void {
  if (record.publisher_fqdn !== scope.publisher)
    throw new ApiError('foreignRecord', `${record.name} belongs to another publisher`)
}

/** Whether the caller is an administrator of a record's publisher. */
export const isOwn = ({ user }: UserScope, record: { readonly publisher_fqdn: string }): boolean =>
  user.is_admin === 1 && user.pub_fqdn === record.publisher_fqdn

interface Readable {
  readonly name: string
  readonly publisher_fqdn: string
  readonly public: number
  readonly unpublished: number
}

/**
 * Refuses to show a template or variation to whoever is no administrator of its publisher, until it is public and
 * published. Spec 2.2.
 */
export function checkReadable(scope: UserScope, record: Readable): void {
  const open = record.public === 1 && record.unpublished === 0
  if (!isOwn(scope, record) && !open) throw new ApiError('foreignRecord', `${record.name} belongs to another publisher`)
}
