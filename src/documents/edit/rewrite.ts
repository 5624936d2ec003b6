import { randomUUID } from 'node:crypto'
import { chmodSync, lstatSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../../file-system.ts'
import { reason } from '../load/inputs.ts'

/** A file's new text, and the one that it was made of. */
export interface Rewrite {
  /** As messages name the file. */
  readonly file: string
  readonly path: string
  /** Undefined for a file that is to be made, with the folders it is in. */
  readonly before: string | undefined
  readonly after: string
}

/** A file that could not be rewritten; none was. */
export class RewriteError extends Error {
  override readonly name = 'RewriteError'
}

const mark = '\ufeff'

/**
 * Gives files their new texts, each at once and with its mode; nothing is changed unless all can be. A byte order mark
 * stays. Throws RewriteError where a file cannot be written, or has changed since it was read, or is there and was not.
 */
export function rewriteAll(rewrites: readonly Rewrite[]): void {
  const staged: { readonly fresh: string; readonly path: string }[] = []
  try {
    for (const rewrite of rewrites) staged.push(rewrite.before === undefined ? stageNew(rewrite) : stage(rewrite))
    for (const { fresh, path } of staged) renameSync(fresh, path)
  } catch (error) {
    for (const { fresh } of staged) rmSync(fresh, { force: true })
    throw error
  }
}

function stage({ file, path, before, after }: Rewrite): { fresh: string; path: string } {
  try {
    const real = realpathSync(path)
    const now = readFileSync(real, 'utf8')
    const marked = now.startsWith(mark)
    if (now.slice(marked ? 1 : 0) !== before) throw new RewriteError(`${file} has changed since it was read`)
    const fresh = `${real}.${randomUUID()}`
    writeFresh(fresh, (marked ? mark : '') + after)
    chmodSync(fresh, statSync(real).mode)
    return { fresh, path: real }
  } catch (error) {
    if (error instanceof RewriteError) throw error
    throw new RewriteError(`${file} cannot be written: ${reason(error)}`)
  }
}

function stageNew({ file, path, after }: Rewrite): { fresh: string; path: string } {
  try {
    makeFolder(dirname(path))
    if (lstatSync(path, { throwIfNoEntry: false })) throw new RewriteError(`${file} already exists`)
    const fresh = join(dirname(path), `.${basename(path)}.${randomUUID()}`)
    writeFresh(fresh, after)
    return { fresh, path }
  } catch (error) {
    if (error instanceof RewriteError) throw error
    throw new RewriteError(`${file} cannot be written: ${reason(error)}`)
  }
}

/** Writes a file of ours, or leaves nothing of it. */
function writeFresh(fresh: string, text: string): void {
  try {
    writeFileSync(fresh, text, { flag: 'wx' })
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}
