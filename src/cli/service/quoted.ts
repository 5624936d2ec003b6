import { usage } from '../failure/failure.ts'

/** What is wrong with a setting in quotes that no shell took away, and what to do. */
export const inQuotes =
  'in quotes, which are part of its value here: write it without them, as in a file for docker --env-file'

/** Throws a usage error for a setting that has quotes around it. */
export function refuseQuotes(value: string, source: string): void {
  if (/^(["'`]).*\1$/s.test(value.trim())) throw usage(`${source} cannot be ${value}`, `it is ${inQuotes}`)
}
