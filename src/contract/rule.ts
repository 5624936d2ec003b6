import type { Issue } from './issues.ts'
import type { Kind } from './values.ts'

/** Facts a rule may need that the document itself does not hold. */
export interface Facts {
  /** The publisher's domain name; without it names are not held against it. */
  readonly publisher?: string
}

/** A rule that no schema can say: a pure function of a document of any shape. */
export interface Rule {
  readonly name: string
  readonly spec: string
  readonly kinds: readonly Kind[]
  readonly severity: Issue['severity']
  /** One line for the documentation. */
  readonly summary: string
  readonly check: (document: unknown, facts: Facts, kind: Kind) => readonly Finding[]
}
/** What a rule finds; its name, severity and section are the rule's. */
export type Finding = Pick<Issue, 'path' | 'message' | 'hint'>
