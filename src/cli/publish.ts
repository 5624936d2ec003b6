import { at, printPath } from '../contract/path.ts'
import type { Kind } from '../contract/values.ts'
import type { Context } from './context.ts'
import { exit, Failure } from './failure.ts'
import { declined } from './gate.ts'

/** Wants the name of what becomes final, typed or given with --confirm. */
export async function confirmName(
  what: string,
  name: string,
  given: string | undefined,
  { prompt }: Context,
): Promise<void> {
  const typed = given ?? (await prompt.text(`Publishing is final. Type the ${what}'s name`, `--confirm ${name}`))
  if (typed === name) return
  if (given === undefined) throw declined()
  throw new Failure('usage', exit.usage, `--confirm says ${given}, and the ${what} is ${name}`, {
    hint: `--confirm ${name}`,
  })
}

/** Shows what a publication makes final. */
export async function showFinal(document: unknown, place: string, { output }: Context): Promise<void> {
  const { yamlLines } = await import('./yaml.ts')
  for (const line of [`This becomes final on ${place}:`, ...yamlLines(document).map((one) => `  ${one}`)])
    output.note(line)
}

/** Fails for what is published already. */
export function refusePublished(what: string, name: string, record: unknown): void {
  if (at(record, 'properties', 'unpublished') !== false) return
  throw new Failure('published', exit.refused, `The ${what} ${name} is published already`, {
    hint: 'what is published is final',
  })
}

/** Runs every check on what is about to become final. Fields a newer service adds to its records are no errors. */
export async function checkRecord(kind: Kind, document: unknown): Promise<void> {
  const { documentIssues } = await import('../documents/check.ts')
  const errors = documentIssues(kind, document, {}).filter(
    ({ severity, rule }) => severity === 'error' && rule !== 'unknown-field',
  )
  if (errors.length === 0) return
  const issues = errors.map(({ path, message }) => ({ path: printPath(path), message }))
  throw new Failure('invalid_documents', exit.invalid, `The stored ${kind} is not valid; nothing was published`, {
    issues,
  })
}
