import type { Severity } from '../../contract/schema/issues.ts'
import type { Path } from '../../contract/schema/path.ts'
import type { KindName } from '../../contract/values.ts'
import type { Edit } from '../edit/edit.ts'
import type { ReadFile } from './read-file.ts'

/** A span in a file; lines and columns count from 1, `end` is exclusive. */
export interface Span {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** One problem, at a place in a file or of the whole file. */
export interface Problem extends Partial<Span> {
  readonly file: string
  readonly rule: string
  readonly severity: Severity
  /** Place in the document: `vatom.vAtom::vAtomType.states[0].name`. */
  readonly path: string
  readonly message: string
  readonly hint?: string
  /** The specification's section. */
  readonly spec?: string
  /** The correction in the file's text, where it is certain. */
  readonly edit?: Edit
  /** The file that the value names, by a path from the document's. */
  readonly names?: string
}

/** One document of a file, and what is wrong with it. */
export interface CheckedDocument {
  /** As the user named it, relative to the working directory; `<stdin>` for `-`. */
  readonly file: string
  readonly kind: KindName
  /** Its name with `$publisher` expanded; a face has its template's name and view mode. */
  readonly name: string
  /** Whether it has no error. */
  readonly valid: boolean
  /** Its problems, which are among those of the whole run, too. */
  readonly problems: readonly Problem[]
}

/** One document of a file, with what it says. */
export interface LoadedDocument extends CheckedDocument {
  /** The body to send: `$publisher` and short field names expanded, without `kind` and `$schema`. */
  readonly value: Record<string, unknown>
  /** The file's text, for code frames; empty where flags describe the document, or a link leads to it from elsewhere. */
  readonly text: string
  /** The place of a path in the file, or of the part of the path that exists: its value, or its key. */
  readonly locate: (path: Path, part?: 'key' | 'value') => Span | undefined
}

/** The result of loading and checking files. */
export interface Loaded {
  readonly documents: readonly LoadedDocument[]
  readonly problems: readonly Problem[]
  /** Number of documents of other kinds, which were not checked. */
  readonly others: number
  /** Files of folders that hold no document of a publisher, and were ignored. */
  readonly foreign: readonly string[]
  /** Absolute paths of the folders that were read and have the name of a document. */
  readonly namedAsFiles: readonly string[]
  /** Text of each file that has a problem, for code frames. */
  readonly sources: ReadonlyMap<string, string>
  /** The files that were read. */
  readonly files: readonly ReadFile[]
}
