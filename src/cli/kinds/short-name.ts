import type { Kind } from '../../contract/kinds/kind.ts'
import { composed } from '../../contract/schema/composed.ts'
import { actionInfix, isWholeName } from '../../contract/values.ts'
import type { Section } from '../../contract/vatom/complete.ts'
import { retyped } from '../command-line.ts'
import type { Context } from '../context.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { seeList } from '../failure/hinted.ts'
import { checkPublisher, fullName, notPublisher, signedInPublisher } from '../service/publisher.ts'
import { allRecords, isDraft } from './requests.ts'
import { allOfPublisher, listOf } from './verbs/list.ts'

/** A name that stands for a record, and the command that takes it. */
export interface GivenName {
  readonly kind: Kind
  /** Parts of a whole name that follow each other: `FreeTea`, `FreeTea::v1`, `First`. */
  readonly given: string
  /** The command with another name, as hints give it. */
  readonly commandWith: (name: string) => string
  /** Whether the command cannot be undone: no record is suggested to it that merely contains the text. */
  readonly isFinal?: true
  /** Whether users of no publisher can give the command a whole name. */
  readonly isOpen?: boolean
  /** What finds the same without a whole name, as the end of a hint. */
  readonly otherwise?: string
}

/** A name that the command line gives, in a word of its own or behind an option. */
export const typedName = (kind: Kind, given: string, { typed }: Context): GivenName => ({
  kind,
  given,
  commandWith: (meant) => retyped(typed, given, meant),
})

/**
 * The names that one stands for: itself, or else those with the parts that it consists of, in whichever form of Unicode an
 * accent is written. The part that all actions have can be left out: `Ticket::v1::Redeem`.
 */
export function namesWith(given: string, names: readonly string[]): readonly string[] {
  if (names.includes(given)) return [given]
  const parts = `::${composed(given)}::`
  return names.filter((one) =>
    [one, one.replace(actionInfix, '::')].some((name) => `::${composed(name)}::`.includes(parts)),
  )
}

/** How help describes a name that a command takes. */
export const nameHelp = (noun: string): string =>
  `the ${noun}'s name; $publisher:: stands for your own domain; or a whole part of it between :: that no other ${noun} of yours has`

/**
 * The whole name of the record that a command is about. One that no name of the publisher's has as a part stays as it is
 * given: the command says that it does not exist.
 */
export async function givenName(name: GivenName, context: Context): Promise<string> {
  const given = await fullName(name.given, context)
  if (isWholeName(given)) {
    if (name.isFinal) await checkPublisher(context)
    return given
  }
  return (await meantOf({ ...name, given }, await namesFor({ ...name, given }, context), context)) ?? given
}

/**
 * The name of the publisher's only record that has the given parts. If several can be meant, or the text stands only within
 * a part, the person at the terminal chooses; where nobody can choose, and if none can be meant, throws a failure with the
 * commands that would do.
 */
export async function meantName(name: GivenName, context: Context): Promise<string> {
  const names = await namesFor(name, context)
  const meant = await meantOf(name, names, context)
  if (meant === undefined) throw await noneMeant(name, names)
  return meant
}

/** The name of a record that the person at the terminal chooses; `line` is the command with a name. */
export async function chosenName(kind: Kind, line: string, context: Context): Promise<string> {
  const names = context.prompt.canAsk() ? await ownNames(kind, context) : []
  if (names.length === 0) throw usage(`No ${kind.name} given`, `write: ${line}; to list them: vatom ${listOf(kind)}`)
  return chosenOf(kind, names, context)
}

const chosenOf = ({ name }: Kind, names: readonly string[], { prompt }: Context): Promise<string> =>
  prompt.choose(`Which ${name}?`, 'its whole name', Object.fromEntries(names.map((one) => [one, one])))

/** The name that is meant among several; undefined if none has the given text. */
async function meantOf(name: GivenName, names: readonly string[], context: Context): Promise<string | undefined> {
  const { kind, given } = name
  const meant = namesWith(given, names)
  const [only, ...others] = meant
  if (only !== undefined && others.length === 0) return only
  const candidates = meant.length > 0 ? meant : containingNames(given, names)
  if (candidates.length === 0) return undefined
  if (context.prompt.canAsk()) return chosenOf(kind, await offered(name, candidates, context), context)
  throw await (meant.length > 0 ? severalMeant : notWhole)(name, candidates, context)
}

/** What a person can choose from: only drafts where the command takes nothing that is published. Spec 3. */
async function offered({ kind, isFinal }: GivenName, names: readonly string[], context: Context) {
  if (!isFinal) return names
  const drafts = (await ownRecords(kind, context)).filter(isDraft).map(({ name }) => name)
  const found = names.filter((name) => drafts.includes(name))
  return found.length > 0 ? found : names
}

/** The names among which a given one is looked up. Throws a usage error for users who have none and need none. */
async function namesFor(name: GivenName, context: Context): Promise<string[]> {
  try {
    return await ownNames(name.kind, context)
  } catch (error) {
    if (name.isOpen && error instanceof Failure && error.code === notPublisher) throw needsWhole(name)
    throw error
  }
}

const needsWhole = ({ kind, given, otherwise = '' }: GivenName): Failure =>
  usage(
    `${given} is no whole name: short ones are looked up among the ${kind.name}s of one's own publisher, and you are of none`,
    `give the whole name, which begins with the domain name of its publisher and ::${otherwise}`,
  )

async function ownNames(kind: Kind, context: Context): Promise<string[]> {
  const publisher = await signedInPublisher(context)
  return (await ownRecords(kind, context))
    .map(({ name }) => String(name))
    .filter((name) => name.startsWith(`${publisher}::`))
    .sort()
}

/** The names of records, and which are drafts. */
async function ownRecords(kind: Kind, context: Context): Promise<readonly Section[]> {
  const { client } = await context.connect()
  return kind.listed === undefined
    ? allOfPublisher(kind, context)
    : allRecords(client, kind, { fields: 'name,properties(unpublished)' })
}

/** Names that have a text within a part behind the publisher's, those with a part that begins with it first. */
function containingNames(given: string, names: readonly string[]): string[] {
  const text = given.toLowerCase()
  if (isWholeName(given)) return []
  const own = (name: string) => name.slice(name.indexOf('::')).toLowerCase()
  const containing = names.filter((name) => own(name).includes(text))
  const beginning = containing.filter((name) => own(name).includes(`::${text}`))
  return [...new Set([...beginning, ...containing])]
}

function commandsOf({ commandWith }: GivenName, names: readonly string[], { output }: Context) {
  const [first = '', ...others] = names
  if (others.length === 0) return { hint: `did you mean: ${commandWith(first)}` }
  const more = names.length - listed
  const commands = names.slice(0, listed).map((one) => output.hint(commandWith(one)))
  return {
    issues: [...commands, ...(more > 0 ? [`and ${more} more`] : [])].map((message) => ({ path: '', message })),
    hint: `name one of them: ${commandWith(first)}`,
  }
}

/** The failure of a name that several records have. */
export const severalMeant = (name: GivenName, names: readonly string[], context: Context) =>
  unclear(name, names, `${name.given} can be one of ${names.length} ${name.kind.name}s`, context)

/** Where nobody can choose, only whole parts stand for a name: one that is added later and contains the text changes nothing. */
function notWhole(name: GivenName, names: readonly string[], context: Context): Promise<Failure> {
  const count = name.isFinal ? '' : names.length === 1 ? '; one contains it' : `; ${names.length} contain it`
  const message = `No ${name.kind.name} of yours has ${name.given} as a whole part of its name, between ::${count}`
  return unclear(name, names.slice(0, listed), message, context)
}

/** The failure of a name where a person would be asked which one is meant: with the commands that would do. */
async function unclear(name: GivenName, names: readonly string[], message: string, context: Context): Promise<Failure> {
  const details = name.isFinal ? await containedIn(name, names) : commandsOf(name, names, context)
  return new Failure('ambiguous_name', exit.usage, message, details)
}

/** The names to choose from, none of them in a command: whoever runs it unread would lose a record that was not meant. */
async function containedIn({ kind, given }: GivenName, names: readonly string[]) {
  const { nameList } = await import('../../contract/schema/suggest.ts')
  return { hint: `names that contain ${given}: ${nameList(names)}; to list all: vatom ${listOf(kind)}` }
}

/** Commands that a failure lists. */
const listed = 10

async function noneMeant({ kind, given, commandWith }: GivenName, names: readonly string[]): Promise<Failure> {
  const { suggest } = await import('../../contract/schema/suggest.ts')
  const parts = new Set(names.flatMap((name) => name.split('::').slice(1)))
  const similar = suggest(given, [...parts])
  return new Failure('missing_reference', exit.refused, `No ${kind.name} of yours has the part ${given} in its name`, {
    hint: similar === undefined ? seeList(listOf(kind)) : `did you mean: ${commandWith(similar)}`,
  })
}
