import { at, isObject } from '../../contract/schema/path.ts'
import { suggest } from '../../contract/schema/suggest.ts'
import { actionInfix, type Kind, kinds, nameKeys } from '../../contract/values.ts'
import { type Finding, finding } from '../finding.ts'

const isKind = (value: unknown): value is Kind => (kinds as readonly unknown[]).includes(value)

const isActionName = (name: unknown) => typeof name === 'string' && name.includes(actionInfix)

/** The kind a document says it is by `kind:`, or shows by its keys; undefined where neither tells. */
export function kindOf(document: unknown): Kind | undefined {
  if (!isObject(document)) return undefined
  if (isKind(document.kind)) return document.kind
  if (Object.hasOwn(document, 'template_variation')) return 'variation'
  if (Object.hasOwn(document, 'display_url')) return 'face'
  if (Object.hasOwn(document, 'reactor') || isActionName(document.name)) return 'action'
  return Object.hasOwn(document, 'vatom') ? 'template' : undefined
}

/** What is wrong with a document's `kind:`. */
export function kindFindings(document: unknown): Finding[] {
  const said = at(document, 'kind')
  if (said === undefined || isKind(said)) return []
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

/** The name a document is known by; empty where it has none. A face has its template's name and its view mode. */
export function nameOf(kind: Kind, document: unknown): string {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const name = text(at(document, nameKeys[kind]))
  return kind === 'face' ? [name, text(at(document, 'constraints', 'view_mode'))].filter(Boolean).join(' ') : name
}
