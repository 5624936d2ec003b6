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

/** One thing that is wrong, at a place in a file. Without a place the whole file is meant. */
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
  /** What puts it right in the file's text, where that is certain. */
  readonly edit?: Edit
}

/** One document of a file. */
export interface LoadedDocument {
  /** As the user named it, relative to the working directory; `<stdin>` for `-`. */
  readonly file: string
  readonly kind: KindName
  /** Its name with `$publisher` expanded; a face has its template's name and view mode. */
  readonly name: string
  /** What is sent: `$publisher` expanded, short field names expanded, `kind` and `$schema` left out. */
  readonly value: Record<string, unknown>
  /** The file's text, for code frames; empty where flags describe the document. */
  readonly text: string
  /** Where a path stands in the file, as well as the file says: its value, or its key. */
  readonly locate: (path: Path, part?: 'key' | 'value') => Span | undefined
  /** Whether it has no error. */
  readonly valid: boolean
  /** What is wrong with it; these are among the problems of the whole run, too. */
  readonly problems: readonly Problem[]
}

/** What loading and checking a set of files came to. */
export interface Loaded {
  readonly documents: readonly LoadedDocument[]
  readonly problems: readonly Problem[]
  /** Documents of other kinds that were left alone. */
  readonly others: number
  /** Text of each file that has a problem, for code frames. */
  readonly sources: ReadonlyMap<string, string>
  /** The files that were read. */
  readonly files: readonly ReadFile[]
}
