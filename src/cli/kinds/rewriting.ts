import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { plural } from '../../contract/schema/wording.ts'
import { type Rewrite, RewriteError, rewriteAll } from '../../documents/edit/rewrite.ts'
import { isDenied, isWithin, roomRemedy } from '../../file-system.ts'
import type { Context } from '../context.ts'
import { exit, Failure, goneFolder } from '../failure/failure.ts'

/** Writes new texts to files, to all or to none; to none under --dry-run. */
export const writeAll = (
  rewrites: readonly Omit<Rewrite, 'path'>[],
  { host, dryRun }: Pick<Context, 'host' | 'dryRun'>,
): Promise<void> =>
  rewriting(async () => {
    const placed = rewrites.map((rewrite) => ({ ...rewrite, path: resolve(host.cwd, rewrite.file) }))
    // It would be made anew, where nobody looks for it.
    if (placed.some(({ path }) => isWithin(host.cwd, path)) && !existsSync(host.cwd)) throw goneFolder()
    if (!dryRun) rewriteAll(placed)
  })

/** Does work that changes files; throws a Failure for a file that cannot be changed. */
export async function rewriting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RewriteError)) throw error
    throw new Failure('file', exit.refused, error.message, { hint: hintOf(error), cause: error })
  }
}

function hintOf({ written, cause }: RewriteError): string {
  if (written > 0) return `written before it: ${plural(written, 'other file')}; run this again`
  const next = remedyOf(cause)
  return `no file of this step was changed${next === undefined ? '' : `; ${next}`}`
}

/** What to do where the system refuses to write a file; undefined where its cause says that. */
const remedyOf = (cause: unknown): string | undefined =>
  roomRemedy(cause) ?? (isDenied(cause) ? 'correct the permissions of its folder, or choose another one' : undefined)
