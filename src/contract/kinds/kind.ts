import type { Operation } from '../api/table.ts'
import type { Path } from '../schema/path.ts'
import type { KindName } from '../values.ts'
import type { Section } from '../vatom/complete.ts'
import type { Changes } from './changes.ts'

/**
 * A kind of document that a publisher writes, and of record that the service makes of it: all that differs from the
 * other kinds. Everything else is written once over it. Loading a kind costs nothing; its schemas are in `schemas.ts`.
 */
export interface Kind {
  /** As `kind:` of a document, commands and messages say it. */
  readonly name: KindName
  /** The name with its article: `an action`. */
  readonly one: string
  /** The title of its JSON Schema. */
  readonly title: string
  /** The command that makes records of documents. */
  readonly verb: 'create' | 'register'
  /** What stands before `.yaml` in the name of a file that holds a template's documents of the kind. */
  readonly fileEnding: string

  /** The field of a document that holds its name; a face has its template's. */
  readonly nameKey: string
  /** The field of a document that names the template it is, or is made for. */
  readonly templateKey: string
  /** What the operations call a record by. No two records have one name; the service gives faces ids. */
  readonly key: 'name' | 'id'
  /** The kind of which every document of this one names one it is made for. */
  readonly parent?: KindName
  /** Whether a record is a draft until it is published, which is final. Spec 3. */
  readonly hasDrafts: boolean
  /** Whether users of no publisher may read a record, if it is public. Spec 2.2. */
  readonly isOpen?: true
  readonly operations: KindOperations

  /** What a document is where it does not say; fields that are left out here have no default. */
  readonly defaults: Section
  /** Where names of templates stand, and what is named after them; `*` is every entry of a list. */
  readonly names: readonly Pattern[]
  /** Where values of the publisher's choosing stand, of any shape. */
  readonly free: readonly Path[]
  /** Where discover queries stand. Spec 4.4. */
  readonly queries: readonly Pattern[]
  /** The parts that a maximum size is set for, in bytes of JSON text: vAtoms are stored or answered with them. */
  readonly bounded: readonly { readonly path: Path; readonly bytes: number }[]
  /** The fields that a list asks for; lists of other kinds answer whole records. */
  readonly listed?: string
  /** The columns of a list, each with what stands in it for a record. */
  readonly columns: Readonly<Record<string, (record: Section) => string>>

  /** The field that only documents of this kind have; undefined if there is none. */
  readonly mark?: string
  /** Whether the keys of a document show that it is of this kind. */
  showsIn(document: Section): boolean
  /** The name of a document in messages; empty if it has none. */
  nameOf(document: unknown): string
  /** The template that a document is, or is made for. */
  templateOf(document: unknown): string | undefined
  /** Whether a record is the one that a document describes: of the same name, or a face for the same viewers. */
  describes(document: Section, record: Section): boolean
  /** The specification's section about a place in a document. */
  specAt(path: Path): string

  /** The document that a publisher would write for a record. */
  documentOf(record: Section): Section
  /** What a record lacks of what its document says. `templateEth` is what a variation's own `eth` stands over. */
  changes(document: Section, record: Section, templateEth?: unknown): Promise<Changes>
  /**
   * A document without the fields that equal their defaults. Two documents of which a service makes the same record have
   * the same minimal form. An `eth` section without a symbol has the publisher's.
   */
  minimal(document: Section, publisher: string): Section
}

/** A place in a document; `*` is every entry of a list. */
export type Pattern = Path

/** The operations of the API on records of a kind. */
export interface KindOperations {
  readonly create: Operation
  readonly update: Operation
  readonly remove: Operation
  /** Reads one record; a face is read among those of its template. */
  readonly get?: Operation
  readonly list: Operation
}
