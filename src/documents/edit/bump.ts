import { Buffer } from 'node:buffer'
import type { Pattern } from '../../contract/kinds/kind.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import { at, listAt, type Path, printPath } from '../../contract/schema/path.ts'
import { publisherPlaceholder } from '../../contract/values.ts'
import { nameLocations } from '../load/expand.ts'
import { type Candidate, type ReadFile, readFile } from '../load/read-file.ts'
import { applyEdits, type Change, type Edit, editOf } from './edit.ts'
import { versionOf } from './versions.ts'

/** A change of one field. */
export interface FieldChange extends Change {
  /** The field: `template`, `unpublished`. */
  readonly path: string
}
interface FieldEdit extends Edit {
  readonly path: Path
}

/** A file that names the new version. */
export interface BumpedFile {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly changes: readonly FieldChange[]
  /** Indexes in the file of the documents that change. */
  readonly changed: readonly number[]
}

/** A place that names the template and cannot be rewritten. */
export class BumpError extends Error {
  override readonly name = 'BumpError'
}

interface Renaming {
  readonly from: string
  readonly to: string
  readonly publisher: string | undefined
}

/**
 * The files of a catalog with a template's name, and all names that begin with it, changed to those of its next version;
 * the template and its variations become drafts. Throws BumpError for a place that cannot be rewritten.
 */
export function bumpFiles(files: readonly ReadFile[], renaming: Renaming): BumpedFile[] {
  return files.flatMap((file) => {
    const bumped = bumpFile(file, renaming)
    if (bumped.changes.length === 0) return []
    checkBumped(file, bumped, renaming)
    return [bumped]
  })
}

function bumpFile({ source, candidates }: ReadFile, renaming: Renaming): BumpedFile {
  const perDocument = candidates.map((candidate) => editsOf(candidate, renaming))
  const edits = new Map(perDocument.flat().map((edit) => [edit.range[0], edit]))
  const inOrder = [...edits.values()].sort((a, b) => a.range[0] - b.range[0])
  return {
    file: source.file,
    before: source.text,
    after: applyEdits(source.text, inOrder),
    changes: inOrder.map(({ range, text, path }) => {
      const { line, column } = source.span(...range)
      return {
        file: source.file,
        line,
        column,
        path: printPath(path),
        before: source.text.slice(...range),
        after: text,
      }
    }),
    changed: [...perDocument.keys()].filter((index) => (perDocument[index] ?? []).length > 0),
  }
}

const editsOf = (candidate: Candidate, renaming: Renaming): FieldEdit[] => [
  ...namePlaces(candidate).flatMap((path) => renamed(candidate, path, renaming) ?? []),
  ...(draftAgain(candidate, renaming) ?? []),
]

/** Places where a document names a template, or something named after one. */
const namePlaces = ({ kind, value }: Candidate): Path[] =>
  nameLocations(kind).flatMap((pattern) => placesAt(value, pattern))

/** The places in a value that a pattern matches. */
function placesAt(value: unknown, pattern: Pattern): Path[] {
  const star = pattern.indexOf('*')
  if (star < 0) return [pattern]
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)]
  return listAt(value, ...before).flatMap((entry, index) =>
    placesAt(entry, after).map((path) => [...before, index, ...path]),
  )
}

/** Whether a text names the template, or something named after it, alone or among others between commas. */
const isNamed = (text: unknown, from: string) =>
  typeof text === 'string' && text.split(',').some((name) => name === from || name.startsWith(`${from}::`))

function renamed(
  { raw, source, value }: Candidate,
  path: Path,
  { from, to, publisher }: Renaming,
): FieldEdit | undefined {
  const found = isNamed(at(value, ...path), from) ? raw.find(path) : undefined
  if (!found) return undefined
  const [start, end] = found.place.range
  const written = source.text.slice(start, end)
  const text = written.replace(
    names(from, publisher),
    (name) => name.slice(0, name.length - versionOf(from).length) + versionOf(to),
  )
  return text === written ? undefined : { range: [start, end], text, path }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** The name as it may be written, alone or at the beginning of a longer one. */
function names(from: string, publisher: string | undefined): RegExp {
  const short =
    publisher !== undefined && from.startsWith(`${publisher}::`)
      ? publisherPlaceholder + from.slice(publisher.length)
      : from
  return new RegExp(`(?<![^\\s,"'])(?:${escaped(from)}|${escaped(short)})(?=::|[\\s,"']|$)`, 'g')
}

function draftAgain({ kind, raw, source, value }: Candidate, { from }: Renaming): FieldEdit[] {
  const own = kindOf(kind).hasDrafts && at(value, 'template') === from
  const found = own && at(value, 'unpublished') === false ? raw.find(['unpublished']) : undefined
  if (!found) return []
  const edit = editOf({ value: true }, found, source.text)
  if (edit) return [{ ...edit, path: ['unpublished'] }]
  throw new BumpError(`unpublished in ${source.file} is a YAML anchor of other values: write the values out`)
}

/** Reads the changed file again: it must not name the previous version any more. */
function checkBumped({ input }: ReadFile, { file, after }: BumpedFile, { from, publisher }: Renaming): void {
  const { candidates } = readFile(input, Buffer.from(after), { noun: 'template', publisher })
  for (const candidate of candidates)
    for (const path of namePlaces(candidate))
      if (isNamed(at(candidate.value, ...path), from))
        throw new BumpError(
          `${file} names ${from} at ${path.join('.')} in a way that cannot be rewritten; write the name out`,
        )
}
