import type { Kind } from '../../contract/kinds/kind.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { seeList } from '../failure/hinted.ts'
import { signedInPublisher } from '../service/publisher.ts'
import { allRecords } from './requests.ts'
import { listOf } from './verbs/list.ts'

/** A name that stands for a record, and the command that takes it. */
export interface GivenName {
  readonly kind: Kind
  /** Parts of a whole name that follow each other: `FreeTea`, `FreeTea::v1`, `First`. */
  readonly given: string
  /** The command with another name, as hints give it. */
  readonly commandWith: (name: string) => string
}

/** Whether a name begins with a domain name, as whole names do. */
export const isWhole = (name: string): boolean => /^[^:]*\.[^:]*::/.test(name)

/**
 * The name of the publisher's only record that can be meant. If several can be, the person at the terminal chooses; where
 * nobody can choose, and if none can be meant, throws a failure with the commands that would do.
 */
export async function meantName(name: GivenName, context: Context): Promise<string> {
  const { kind, given, commandWith } = name
  const names = await ownNames(kind, context)
  const meant = names.includes(given) ? [given] : names.filter((one) => `::${one}::`.includes(`::${given}::`))
  const [only, ...others] = meant
  if (only === undefined) throw await noneMeant(name, names)
  if (others.length === 0) return only
  if (context.prompt.canAsk())
    return context.prompt.choose(
      `Which ${kind.name}?`,
      'its whole name',
      Object.fromEntries(meant.map((one) => [one, one])),
    )
  throw new Failure('ambiguous_name', exit.usage, `${given} can be one of ${meant.length} ${kind.name}s`, {
    issues: meant.map((one) => ({ path: '', message: context.output.hint(commandWith(one)) })),
    hint: `name one of them: ${commandWith(only)}`,
  })
}

async function ownNames(kind: Kind, context: Context): Promise<string[]> {
  const connection = await context.connect()
  const publisher = await signedInPublisher(context)
  const records = await allRecords(connection.client, kind, { fields: 'name' })
  return records
    .map(({ name }) => String(name))
    .filter((name) => name.startsWith(`${publisher}::`))
    .sort()
}

async function noneMeant({ kind, given, commandWith }: GivenName, names: readonly string[]): Promise<Failure> {
  const { suggest } = await import('../../contract/schema/suggest.ts')
  const parts = new Set(names.flatMap((name) => name.split('::').slice(1)))
  const similar = suggest(given, [...parts])
  const containing = names.filter((name) => name.toLowerCase().includes(given.toLowerCase()))
  const meant = similar === undefined ? containing.slice(0, 3) : [similar]
  return new Failure('missing_reference', exit.refused, `No ${kind.name} of yours has the part ${given} in its name`, {
    hint: meant.length > 0 ? `did you mean: ${meant.map(commandWith).join('; ')}` : seeList(listOf(kind)),
  })
}
