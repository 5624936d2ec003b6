import { Failure } from '../failure/failure.ts'
import type { Host } from '../host.ts'

/**
 * A failure for want of a setting that a variable can give. Its hint names first each variable that is set and that nothing
 * reads, which may be meant to be that one, without what it is set to.
 */
export async function unset(failure: Failure, env: Host['env']): Promise<Failure> {
  const { unknownVariables } = await import('./mistaken-variables.ts')
  const hint = [...unknownVariables(env), failure.next].filter(Boolean).join('; ')
  return new Failure(failure.code, failure.exitCode, failure.message, { ...failure, hint })
}
