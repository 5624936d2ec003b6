import type { Issue } from '../schema/issues.ts'
import { at, listAt, type Path } from '../schema/path.ts'
import type { KindName } from '../values.ts'
import { childPolicy } from '../vatom/child-policy.ts'
import type { Facts } from './rule.ts'

/** Rules that find something only because all documents of a catalog are there. */
export const wholeRules: readonly string[] = [
  'template-missing',
  'child-missing',
  'query-missing',
  'action-missing',
  'acquirepubvariation-action',
  'no-face',
]

/** One of the documents that are checked together. */
export interface Member {
  readonly kind: KindName
  readonly name: string
  /** The template that it is, or that it is made for. */
  readonly template: string | undefined
  readonly value: unknown
  /** Where it stands, or a path in it, as messages name it: `coffee.yaml:8:11`. */
  readonly place: (path?: Path) => string
}

/** A document with the errors that it has by itself. */
export interface Faulty {
  readonly member: Member
  readonly errors: readonly Pick<Issue, 'path'>[]
}

/** The documents that are checked together. */
export interface Catalog extends Facts {
  /** The template of a name, unless it has errors of its own. */
  readonly template: (name: unknown) => Member | undefined
  /** The template of a name, unless it cannot be read. */
  readonly faultyTemplate: (name: unknown) => Faulty | undefined
  /** Documents of a kind that are made for a template, in order. */
  readonly of: (template: string | undefined, kind: KindName) => readonly Member[]
  /** Names of all documents of a kind. */
  readonly names: (kind: KindName) => ReadonlySet<string>
  /** Those of `wholeRules` that are checked; none unless these are all documents of a catalog. */
  readonly ifWhole: readonly string[]
  /** Whether their folder has a project file, so that it is a catalog even without a template. */
  readonly isDescribed: boolean
}

/** Variations that the child_policy of a template or variation names. Spec 2.4. */
export function childrenOf(value: unknown): { readonly index: number; readonly name: string }[] {
  return listAt(value, ...childPolicy).flatMap((entry, index) => {
    const name = at(entry, 'template_variation')
    return typeof name === 'string' ? [{ index, name }] : []
  })
}
