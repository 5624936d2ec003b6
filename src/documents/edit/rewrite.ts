import { type BigIntStats, lstatSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { isWithin, makeFolder, missingFolders, realPath, realPathOf, removeEmptyFolders } from '../../file-system.ts'
import { regularText } from '../../regular-file.ts'
import { discard, putInPlace, type Staged, stage } from '../../whole-file.ts'
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
  /** How many of the others are written. */
  readonly written: number

  constructor(message: string, { cause, written = 0 }: { readonly cause?: unknown; readonly written?: number } = {}) {
    super(message, { cause })
    this.written = written
  }
}

/** The new text of a file, and what the file was when its text was compared; undefined for a new one. */
interface StagedRewrite extends Staged, Pick<Rewrite, 'file' | 'within'> {
  readonly found: BigIntStats | undefined
}

const mark = '\ufeff'

/**
 * Writes files, each atomically and with its mode and byte order mark; no file is changed unless all can be written.
 * They are put in place from the last to the first, so that a killed run which has written the first has written all.
 * Throws RewriteError where a file cannot be written, has changed since it was read, or is new and exists already; only
 * one that changes while the others are put in place leaves some of them written.
 */
export function rewriteAll(rewrites: readonly Rewrite[]): void {
  const staged: StagedRewrite[] = []
  const made: string[] = []
  try {
    for (const rewrite of distinct(rewrites)) {
      made.push(...missingFolders(dirname(rewrite.path)))
      staged.push(stagedRewrite(rewrite))
    }
    for (const one of staged) checkUnchanged(one, 0)
  } catch (error) {
    discard(staged)
    removeEmptyFolders(made)
    throw error
  }
  putInPlace(staged.toReversed(), checkUnchanged)
}

/** Of those that lead to the same file, as by a link, the first. */
function distinct(rewrites: readonly Rewrite[]): Rewrite[] {
  const byPath = new Map<string, Rewrite>()
  for (const rewrite of rewrites) {
    const path = rewrite.before === undefined ? rewrite.path : realPath(rewrite.path)
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
    if (error instanceof RewriteError) throw error
    throw new RewriteError(`${rewrite.file} cannot be written: ${causeOf(error)}`, { cause: error })
  }
}

function stageChanged({ file, path, before, after, within }: Rewrite): StagedRewrite {
  const real = realpathSync(path)
  const found = lstatSync(real, { bigint: true })
  const now = regularText(real)
  const marked = now?.startsWith(mark) === true
  if (now?.slice(marked ? 1 : 0) !== before) throw hasChanged(file)
  const owner = { uid: Number(found.uid), gid: Number(found.gid) }
  return { ...stage(real, (marked ? mark : '') + after, { mode: Number(found.mode), owner }), file, found, within }
}

function stageNew({ file, path, after, within }: Rewrite): StagedRewrite {
  checkWithin({ file, path, within }, 0)
  makeFolder(dirname(path))
  checkUnchanged({ file, path, found: undefined, within }, 0)
  return { ...stage(path, after), file, found: undefined, within }
}

/** Throws RewriteError for a file that is not what it was: writing many takes long enough for somebody to save one of them. */
function checkUnchanged({ file, path, found, within }: Omit<StagedRewrite, 'fresh'>, written: number): void {
  checkWithin({ file, path, within }, written)
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (found === undefined && now) throw new RewriteError(`${file} already exists`, { written })
  if (found?.ino !== now?.ino || found?.mtimeNs !== now?.mtimeNs || found?.size !== now?.size)
    throw hasChanged(file, written)
}

/** Throws RewriteError for a file that is outside of its folder, as a link in a folder of somebody else can be made at any time. */
function checkWithin({ file, path, within }: Pick<Rewrite, 'file' | 'path' | 'within'>, written: number): void {
  if (within !== undefined && !isWithin(within, realPathOf(path)))
    throw new RewriteError(`${file} is not written: a link points outside the folder`, { written })
}

const hasChanged = (file: string, written = 0) => new RewriteError(`${file} has changed since it was read`, { written })
