import type { LoadedValue } from '../../documents/load/load-one.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { invalidFailure, refuseInvalid } from './load-checked.ts'

/** The value of a file that holds one document; else says what is wrong with it, and throws Reported. */
export async function soleValue<V>({ value, problems, sources }: LoadedValue<V>, { output }: Context): Promise<V> {
  if (value !== undefined) return value
  const failure = (await invalidFailure({ problems })) ?? new Failure('invalid_documents', exit.invalid, 'It is empty')
  return refuseInvalid({}, { loaded: { problems, sources }, format: 'text', failure }, output)
}
