import { isKindName, kindOf } from '../../contract/kinds/kinds.ts'
import { at } from '../../contract/schema/path.ts'
import { suggest } from '../../contract/schema/suggest.ts'
import { type KindName, kinds } from '../../contract/values.ts'
import { type Finding, finding } from '../finding.ts'

/** What is wrong with a document's `kind:`. */
export function kindFindings(document: unknown): Finding[] {
  const said = at(document, 'kind')
  if (said === undefined || isKindName(said)) return []
  const near = typeof said === 'string' ? suggest(said, kinds) : undefined
  return [
    finding('kind', `no kind of document: ${JSON.stringify(said)}`, {
      path: ['kind'],
      hint: near ? `did you mean ${near}?` : `kinds: ${kinds.join(', ')}`,
    }),
  ]
}

/** A document without the keys that are never sent. */
export function withoutOwnKeys(document: Record<string, unknown>): Record<string, unknown> {
  if (!Object.hasOwn(document, 'kind') && !Object.hasOwn(document, '$schema')) return document
  const { kind: _kind, $schema: _schema, ...rest } = document
  return rest
}

/** The name a document goes by in messages; empty where it has none. */
export const nameOf = (kind: KindName, document: unknown): string => kindOf(kind).nameOf(document)
