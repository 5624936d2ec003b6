import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { at } from '../../contract/schema/path.ts'
import { nameList } from '../../contract/schema/suggest.ts'
import { type Rewrite, RewriteError, rewriteAll } from '../../documents/edit/rewrite.ts'
import { codeOf, isDenied, isWithin, roomRemedy } from '../../file-system.ts'
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
  const next = remedyOf(cause)
  const state =
    written.length > 0
      ? `written before it, and not put back as that failed, too: ${nameList(written)}; run this again once it can be written`
      : 'no file of this step was changed'
  return next === undefined ? state : `${state}; ${next}`
}

/** What to do where the system refuses to write a file; undefined where its cause says that. */
function remedyOf(cause: unknown): string | undefined {
  if (codeOf(cause) === 'EBUSY')
    return 'where it is mounted by itself, mount the folder that it is in; else close what uses it'
  // The system says so of what may not be replaced at all, and Windows of what another program has open.
  if (codeOf(cause) === 'EPERM' && at(cause, 'syscall') === 'rename')
    return 'see whether it may be replaced (lsattr), or another program has it open'
  return (
    roomRemedy(cause) ?? (isDenied(cause) ? 'correct the permissions of its folder, or choose another one' : undefined)
  )
}
