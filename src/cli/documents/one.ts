import type { LoadedOne } from '../../documents/load-one.ts'
import type { Context } from '../context.ts'
import { Reported } from '../failure/failure.ts'
import { failureJson } from '../failure/report.ts'
import { invalidFailure, printInvalid } from './check.ts'

/** The value of a file that holds one document; else says what is wrong with it, and throws Reported. */
export async function soleValue(
  { value, problems, sources }: LoadedOne,
  { output }: Context,
): Promise<Record<string, unknown>> {
  const failure = await invalidFailure({ problems })
  if (failure === undefined) return value ?? {}
  const format = output.json ? 'json' : 'text'
  await printInvalid({ error: failureJson(failure) }, { loaded: { problems, sources }, format, failure }, output)
  throw new Reported(failure.exitCode)
}
