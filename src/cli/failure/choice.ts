import { type Failure, usage } from './failure.ts'

/** How the parser says that a value is none of an option's, or of an argument's. */
const wordings: readonly RegExp[] = [
  /^error: option '(?:-\w, )?(?<name>--[\w-]+).*' argument '(?<given>.*)' is invalid\. Allowed choices are (?<choices>.*)\.$/s,
  /^error: command-argument value '(?<given>.*)' is invalid for argument '(?<name>.*)'\. Allowed choices are (?<choices>.*)\.$/s,
]

/** A usage error of a value that is none of those there are; undefined for any other. */
export async function choiceFailure(error: unknown): Promise<Failure | undefined> {
  if (!(error instanceof Error)) return undefined
  const { name, given, choices } = wordings.map((form) => form.exec(error.message)).find(Boolean)?.groups ?? {}
  if (choices === undefined) return undefined
  const { didYouMean } = await import('../../contract/schema/suggest.ts')
  const meant = didYouMean(given, choices.split(', '))
  return usage(`${name} cannot be ${given}`, `${meant === undefined ? '' : `${meant} `}choose one of: ${choices}`)
}
