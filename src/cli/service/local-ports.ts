import { portOf } from '../../contract/schema/parsed-url.ts'
import type { Context } from '../context.ts'
import { isElsewhere, unchosen } from './target.ts'

/**
 * For documents for a service on this machine, the ports at which its assets answer; none if that is not known, as where no
 * `vatom serve` of the `local` context runs. Undefined for another machine, in a pipeline that chose no service, and where
 * none can be chosen, which whatever needs the service reports: another run may be for another one.
 */
export async function localPorts({
  target,
  host,
  dirs,
}: Pick<Context, 'target' | 'host' | 'dirs'>): Promise<string[] | undefined> {
  const chosen = await target().catch(() => undefined)
  if (chosen === undefined || unchosen(chosen, host.env) !== undefined || isElsewhere(chosen)) return undefined
  const { servings } = await import('./running.ts')
  const urls = servings(dirs).map(({ baseUrl }) => baseUrl)
  const isServed = chosen.kind === 'local' || urls.includes(chosen.baseUrl)
  return isServed ? urls.map((url) => portOf(new URL(url))) : []
}
