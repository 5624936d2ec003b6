import type { Draft, Issue } from '../schema/issues.ts'
import type { KindName } from '../values.ts'

/** Facts a rule may need that the document itself does not hold. */
export interface Facts {
  /** The publisher's domain name; without it names are not compared with it. */
  readonly publisher?: string
  /** For documents for a service on this machine, the ports at which its assets answer; none if that is not known. */
  readonly localPorts?: readonly string[] | undefined
}

/** How names of rules look, and codes of warnings and errors: a text from elsewhere of another form is none. */
export const ruleName = /^[\w-]{1,40}$/

/** What the documentation says about a rule. */
export interface RuleNote {
  readonly name: string
  /** The specification's section; absent where the specification has none. */
  readonly spec?: string
  readonly severity: Issue['severity']
  readonly summary: string
  /** Whether `--fix` corrects what it finds; in words, if only some of it. */
  readonly fixes?: true | string
}

/** A rule that no schema can say: a pure function of a document of any shape. */
export interface Rule extends RuleNote {
  readonly kinds: readonly KindName[]
  /** Bounds the size of a document: others, which look at each key of it, are not asked about a larger one. */
  readonly isBound?: true
  readonly check: (document: unknown, facts: Facts, kind: KindName) => readonly Finding[]
}
/** What a rule finds; its name, severity and section are the rule's. */
export type Finding = Pick<Draft, 'path' | 'message' | 'hint' | 'fix' | 'part' | 'wanted' | 'names'>

/** The findings of a document that complies with a rule. */
export const nothing: readonly Finding[] = []
