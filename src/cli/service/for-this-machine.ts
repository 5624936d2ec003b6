import type { Context } from '../context.ts'
import { isElsewhere, unchosen } from './target.ts'

/**
 * Whether documents are for a service on this machine. Not in a pipeline that chose none, nor where none can be chosen,
 * which whatever needs the service reports: another run may be for another one.
 */
export async function isForThisMachine({ target, host }: Pick<Context, 'target' | 'host'>): Promise<boolean> {
  const chosen = await target().catch(() => undefined)
  return chosen !== undefined && unchosen(chosen, host.env) === undefined && !isElsewhere(chosen)
}
