import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, missingFolders, removeEmptyFolders } from '../../file-system.ts'
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
}

/** A file that could not be rewritten; none was. */
export class RewriteError extends Error {
  override readonly name = 'RewriteError'
}

const mark = '\ufeff'

/**
 * Writes files, each atomically and with its mode and byte order mark; no file is changed unless all can be written.
 * They are put in place from the last to the first, so that a killed run which has written the first has written all.
 * Throws RewriteError where a file cannot be written, has changed since it was read, or is new and exists already.
 */
export function rewriteAll(rewrites: readonly Rewrite[]): void {
  const staged: Staged[] = []
  const made: string[] = []
  try {
    for (const rewrite of rewrites) {
      made.push(...missingFolders(dirname(rewrite.path)))
      staged.push(stagedRewrite(rewrite))
    }
  } catch (error) {
    discard(staged)
    removeEmptyFolders(made)
    throw error
  }
  putInPlace(staged.toReversed())
}

function stagedRewrite(rewrite: Rewrite): Staged {
  try {
    return rewrite.before === undefined ? stageNew(rewrite) : stageChanged(rewrite)
  } catch (error) {
    if (error instanceof RewriteError) throw error
    throw new RewriteError(`${rewrite.file} cannot be written: ${causeOf(error)}`, { cause: error })
  }
}

function stageChanged({ file, path, before, after }: Rewrite): Staged {
  const real = realpathSync(path)
  const now = readFileSync(real, 'utf8')
  const marked = now.startsWith(mark)
  if (now.slice(marked ? 1 : 0) !== before) throw new RewriteError(`${file} has changed since it was read`)
  return stage(real, (marked ? mark : '') + after, { mode: statSync(real).mode })
}

function stageNew({ file, path, after }: Rewrite): Staged {
  makeFolder(dirname(path))
  if (lstatSync(path, { throwIfNoEntry: false })) throw new RewriteError(`${file} already exists`)
  return stage(path, after)
}
