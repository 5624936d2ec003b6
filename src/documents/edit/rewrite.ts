import { Buffer } from 'node:buffer'
import { type BigIntStats, lstatSync, realpathSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { isWithin, makeFolder, missingFolders, realPathOf, removeEmptyFolders } from '../../file-system.ts'
import { regularBytes } from '../../regular-file.ts'
import { discard, putInPlace, type Staged, stage, type Writing } from '../../whole-file.ts'
import { causeOf } from '../load/inputs.ts'

/** The new text of a file, and the text that it replaces. */
export interface Rewrite {
  /** As messages name the file. */
  readonly file: string
  readonly path: string
  /** Undefined for a new file, whose missing folders are made, too. */
  readonly before: string | undefined
  readonly after: string
  /** The real path of a folder outside of which it is not written, whatever has become of the folder since. */
  readonly within?: string
}

/** A file that could not be rewritten. */
export class RewriteError extends Error {
  override readonly name = 'RewriteError'
  /** The others that are written, and could not be put back. */
  readonly written: readonly string[]

  constructor(
    message: string,
    { cause, written = [] }: { readonly cause?: unknown; readonly written?: string[] } = {},
  ) {
    super(message, { cause })
    this.written = written
  }
}

/** The new text of a file, how it is written, and what was there when its text was compared; undefined for a new one. */
interface StagedRewrite extends Staged, Pick<Rewrite, 'file' | 'within'> {
  readonly text: string
  readonly how: Writing
  readonly found: BigIntStats | undefined
  /** Its bytes, which need not be those of a text. */
  readonly before: Buffer | undefined
}

const mark = '\ufeff'

/**
 * Writes files, each atomically and with its mode and byte order mark: all of them, or none. They are put in place from the
 * last to the first, so that a killed run which has written the first has written all. Throws RewriteError where a file
 * cannot be written, has changed since it was read, or is new and exists already: those that are written by then are put
 * back, and the error names each that cannot be.
 */
export function rewriteAll(rewrites: readonly Rewrite[]): void {
  const staged: StagedRewrite[] = []
  const made: string[] = []
  try {
    for (const rewrite of distinct(rewrites)) {
      made.push(...missingFolders(dirname(rewrite.path)))
      staged.push(stagedRewrite(rewrite))
    }
    for (const one of staged) checkUnchanged(one)
    putAllInPlace(staged.toReversed())
  } catch (error) {
    discard(staged)
    removeEmptyFolders(made)
    throw error
  }
}

/** Of those that lead to the same file, as by a link, the first. */
function distinct(rewrites: readonly Rewrite[]): Rewrite[] {
  const byPath = new Map<string, Rewrite>()
  for (const rewrite of rewrites) {
    const path = realPathOf(rewrite.path)
    const first = byPath.get(path) ?? rewrite
    if (first.after !== rewrite.after)
      throw new RewriteError(`${first.file} and ${rewrite.file} are one file, which cannot be written in two ways`)
    byPath.set(path, first)
  }
  return [...byPath.values()]
}

function stagedRewrite(rewrite: Rewrite): StagedRewrite {
  try {
    return rewrite.before === undefined ? stageNew(rewrite) : stageChanged(rewrite)
  } catch (error) {
    throw refusal(rewrite.file, error)
  }
}

function stageChanged({ file, path, before, after, within }: Rewrite): StagedRewrite {
  checkWithin({ file, path, within })
  const real = realpathSync(path)
  const found = lstatSync(real, { bigint: true })
  const bytes = regularBytes(real)
  const now = bytes?.toString()
  const marked = now?.startsWith(mark) === true
  if (now?.slice(marked ? 1 : 0) !== before) throw hasChanged(file)
  const how = { mode: Number(found.mode), owner: { uid: Number(found.uid), gid: Number(found.gid) } }
  const text = (marked ? mark : '') + after
  return { ...stage(real, text, how), file, text, how, found, before: bytes, within }
}

function stageNew({ file, path, after, within }: Rewrite): StagedRewrite {
  checkWithin({ file, path, within })
  makeFolder(dirname(path))
  checkUnchanged({ file, path, found: undefined, within })
  return { ...stage(path, after), file, text: after, how: {}, found: undefined, before: undefined, within }
}

/** Throws RewriteError where one cannot be: those before it are put back. */
function putAllInPlace(staged: readonly StagedRewrite[]): void {
  for (const [placed, one] of staged.entries()) {
    try {
      putInPlace(one, () => checkUnchanged(one))
    } catch (error) {
      const written = staged.slice(0, placed).toReversed().filter(isNotPutBack)
      throw refusal(
        one.file,
        error,
        written.map(({ file }) => file),
      )
    }
  }
}

/** Puts back what was in the place of a file; whether that cannot be done, as where somebody has saved it meanwhile. */
function isNotPutBack({ path, text, before, how }: StagedRewrite): boolean {
  try {
    if (regularBytes(path)?.equals(Buffer.from(text)) !== true) return true
    if (before === undefined) rmSync(path)
    else putInPlace(stage(path, before, how))
    return false
  } catch {
    return true
  }
}

function refusal(file: string, error: unknown, written: string[] = []): RewriteError {
  const { message, cause } =
    error instanceof RewriteError ? error : { message: `${file} cannot be written: ${causeOf(error)}`, cause: error }
  return new RewriteError(message, { cause, written })
}

/** Throws RewriteError for a file that is not what it was: writing many takes long enough for somebody to save one of them. */
function checkUnchanged({
  file,
  path,
  found,
  within,
}: Pick<StagedRewrite, 'file' | 'path' | 'found' | 'within'>): void {
  checkWithin({ file, path, within })
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (found === undefined && now) throw new RewriteError(`${file} already exists`)
  if (found?.ino !== now?.ino || found?.mtimeNs !== now?.mtimeNs || found?.size !== now?.size) throw hasChanged(file)
}

/** Throws RewriteError for a file that is outside of its folder, as a link in a folder of somebody else can be made at any time. */
function checkWithin({ file, path, within }: Pick<Rewrite, 'file' | 'path' | 'within'>): void {
  if (within !== undefined && !isWithin(within, realPathOf(path)))
    throw new RewriteError(`${file} is not written: a link points outside the folder`)
}

const hasChanged = (file: string) => new RewriteError(`${file} has changed since it was read`)
