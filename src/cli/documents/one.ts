import type { LoadedOne } from '../../documents/load-one.ts'
import type { Context } from '../context.ts'
import { invalidFailure, refuseInvalid } from './check.ts'

/** The value of a file that holds one document; else says what is wrong with it, and throws Reported. */
export async function soleValue(
  { value, problems, sources }: LoadedOne,
  { output }: Context,
): Promise<Record<string, unknown>> {
  const failure = await invalidFailure({ problems })
  if (failure === undefined) return value ?? {}
  return refuseInvalid({}, { loaded: { problems, sources }, format: 'text', failure }, output)
}
