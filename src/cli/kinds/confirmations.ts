import { Option } from 'commander'
import type { Kind } from '../../contract/kinds/kind.ts'
import { privateAddressesIn } from '../../contract/rules/private-address.ts'
import { isObject } from '../../contract/schema/path.ts'
import { plural } from '../../contract/schema/wording.ts'
import { type ChainWrite, chainWrites, isCharged } from '../../contract/vatom/chain.ts'
import type { Section } from '../../contract/vatom/complete.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { shellWord, styled } from '../io/text.ts'
import { fullName } from '../service/publisher.ts'
import { isElsewhere } from '../service/target.ts'
import { type ChainChange, chainWritesOf, creationChanges } from './chain-changes.ts'

export interface YesOption {
  readonly yes?: boolean
}

export interface ChargesOption {
  readonly acceptCharges?: boolean
}

export const acceptChargesOption = (): Option =>
  new Option('--accept-charges', 'accept the charges for chain writes of an eth section on mainnet')

export interface AddressesOption {
  readonly acceptAddresses?: boolean
}

export const acceptAddressesOption = (): Option =>
  new Option(
    '--accept-addresses',
    'publish addresses that apps elsewhere cannot read: those of this machine and its network',
  )

/** `2 addresses that apps elsewhere cannot read` */
export const privateAddressesText = (count: number): string =>
  `${count} ${count === 1 ? 'address' : 'addresses'} that apps elsewhere cannot read`

/** Asks before addresses that apps elsewhere cannot read become final on a service. Spec 3. */
export async function confirmAddresses(count: number, accepted: boolean | undefined, context: Context): Promise<void> {
  if (count === 0) return
  await confirmed(`Publish ${privateAddressesText(count)}?`, '--accept-addresses', accepted, context)
}

/** How many addresses in documents apps elsewhere cannot read; none matters on a service of this machine. */
export async function privateAddresses(documents: readonly unknown[], { target }: Context): Promise<number> {
  if (!isElsewhere(await target())) return 0
  return documents.reduce<number>((sum, document) => sum + privateAddressesIn(document), 0)
}

/** Asks a question that a flag can answer, too; throws a Failure where the answer is no. */
export async function confirmed(
  question: string,
  flag: string,
  given: boolean | undefined,
  { prompt }: Pick<Context, 'prompt'>,
): Promise<void> {
  if (await prompt.confirm(question, flag, given)) return
  throw declined()
}

/** What to do where there is something else than what a question named. */
export const askAgain = 'run the command again: its question names what there is now'

/** Throws where there is something else by now than `what` a person was asked about: the answer was not for that. */
export function checkUnchanged(what: string, asked: unknown, now: unknown): void {
  if (JSON.stringify(asked) !== JSON.stringify(now)) throw changedSinceQuestion(what, askAgain)
}

/** The failure where `what` a person was asked about has changed. */
export const changedSinceQuestion = (what: string, hint: string): Failure =>
  new Failure('changed_meanwhile', exit.refused, `Nothing was done: ${what} has changed since the question`, { hint })

/** Nothing is done, because of the answer to a question; `expected` is what was to be typed. */
const declined = (expected?: string, hint?: string) =>
  new Failure(
    'declined',
    exit.refused,
    `Nothing was done: ${expected === undefined ? 'the answer was no' : `"${expected}" was not typed`}`,
    { hint },
  )

/** More records than this are deleted only if a person types how many. */
const fewDeletions = 5

/** Whether a person who deletes records types what: they are many, or take vAtoms with them. */
export const typesDeletion = (count: number, takesVatoms: boolean): boolean => count > fewDeletions || takesVatoms

/** What a person types, and what else can be done. */
interface Typed {
  readonly expected: string
  readonly hint?: string
}

/** Has a person type what cannot be undone, `delete 399` or a name; throws a Failure for anything else. */
export async function typedFinal(
  what: string,
  { expected, hint }: Typed,
  { prompt }: Pick<Context, 'prompt'>,
): Promise<void> {
  const question = `This cannot be undone. To ${what}, type "${expected}"`
  if ((await prompt.retyped(question, '--yes', expected)).trim() !== expected) throw declined(expected, hint)
}

/** What the flags of a command accept before it writes documents. */
export type CreationConsent = YesOption & ChargesOption & AddressesOption

const isFinal = ({ value }: LoadedDocument) => value.unpublished === false

/** Notes that a flag which allows publishing has nothing to allow. */
export function notePublishing(flag: string, documents: readonly LoadedDocument[], { output }: Context): void {
  if (!documents.some(isFinal)) output.note(`${flag} publishes nothing: no document says unpublished: false`)
}

/** Asks before creating documents that are published at once, which needs what `publish` needs, and before charges. */
export async function confirmCreation(
  kind: Kind,
  documents: readonly LoadedDocument[],
  { yes, confirm, acceptCharges, acceptAddresses }: PublishOptions & YesOption,
  context: Context,
): Promise<void> {
  const final = documents.filter(isFinal)
  if (confirm !== undefined) notePublishing('--confirm', documents, context)
  const names = final.map(({ name }) => name)
  if (names.length > 0) {
    context.output.warn(
      styled`${names.join(', ')} will be published at once, because unpublished is false; publishing is final`,
    )
    await (await import('./cautions.ts')).warnOfCautions(kind, final, context)
    if (confirm !== undefined) await checkTyped(names, confirm, context)
    else if (yes) throw usage('Publishing is final: --yes does not confirm it', `give it with ${confirmFlag(names)}`)
    else if (!(await publicationTyped(names, confirmFlag(names), context))) throw declined(typedFor(names))
    const values = final.map(({ value }) => value)
    await confirmAddresses(await privateAddresses(values, context), acceptAddresses, context)
  }
  await confirmWrites(await creationChanges(kind, documents, context), acceptCharges, context)
}

/** Says how many chain writes a command causes; on mainnet, asks to accept their charges. Spec 2.3. */
export async function confirmWrites(
  changes: readonly ChainChange[],
  accepted: boolean | undefined,
  context: Context,
): Promise<void> {
  const { free, charged } = chainWritesOf(changes)
  if (free.length > 0) context.output.note(freeLine(free))
  if (charged.length > 0) await confirmCharges(charged, accepted, context)
}

/** Says which writes are charged, and asks to accept that. */
export async function confirmCharges(
  charged: readonly ChainWrite[],
  accepted: boolean | undefined,
  context: Context,
): Promise<void> {
  context.output.warn(chargedLine(charged))
  await confirmed('Accept the charges?', '--accept-charges', accepted, context)
}

export interface PublishOptions extends ChargesOption, AddressesOption {
  readonly confirm?: string
}

/** Fails for a wrong name, and where there is neither a name nor anybody to ask for it. */
export async function checkConfirmation(
  kind: Kind,
  name: string,
  { confirm }: PublishOptions,
  context: Context,
): Promise<void> {
  if (confirm !== undefined) await checkName(kind, name, confirm, context)
  else context.prompt.needPerson(`The ${kind.name}'s name, again to confirm it,`, '--confirm NAME')
}

/**
 * Asks before a record becomes final: to accept its addresses and a contract on mainnet, and to type the name.
 * Spec 2.3, 3.
 */
export async function confirmPublication(
  name: string,
  document: Section,
  { confirm, acceptCharges, acceptAddresses }: PublishOptions,
  context: Context,
): Promise<void> {
  await confirmAddresses(await privateAddresses([document], context), acceptAddresses, context)
  await confirmContract(document.eth, acceptCharges, context)
  if (confirm !== undefined) return
  if (!(await publicationTyped([name], confirmFlag([name]), context))) throw declined(name)
}

const confirmFlag = (names: readonly string[]): string => `--confirm ${shellWord(typedFor(names))}`

/** Fails for a --confirm that is not what a person would type to publish these records. */
async function checkTyped(names: readonly string[], confirm: string, context: Context): Promise<void> {
  if ((await fullName(confirm, context)) === typedFor(names)) return
  throw usage(
    `--confirm ${shellWord(confirm)} does not confirm what is published`,
    `give it with ${confirmFlag(names)}`,
  )
}

/** What a person types to publish records. */
const typedFor = (names: readonly string[]): string =>
  names.length === 1 ? String(names[0]) : `publish ${names.length}`

/** Whether a person types what is published: a name, or how many records; the question says what happens `otherwise`. */
export async function publicationTyped(
  names: readonly string[],
  flag: string,
  context: Context,
  otherwise?: string,
): Promise<boolean> {
  const expected = typedFor(names)
  const what = names.length === 1 ? `it, type ${expected}` : `${plural(names.length, 'record')}, type "${expected}"`
  const question = ['Publishing is final', otherwise, `To publish ${what}`].filter(Boolean).join('. ')
  return (await fullName(await context.prompt.retyped(question, flag, expected), context)) === expected
}

/** The chain writes of an `eth` section were made with the draft: publishing changes no value. */
async function confirmContract(eth: unknown, accepted: boolean | undefined, context: Context): Promise<void> {
  if (!isObject(eth)) return
  const writes = counted(chainWrites(undefined, eth))
  if (!isCharged(eth)) {
    context.output.note(styled`eth on testnet: the draft made ${writes}, free of charge; publishing makes none`)
    return
  }
  context.output.warn(
    styled`eth on mainnet: the draft made ${writes}, which were charged then; publishing makes none, but makes the contract final for every vAtom emitted`,
  )
  await confirmFinalContracts(1, accepted, context)
}

/** Asks whether contracts on mainnet may become final, with the flag that accepts what costs. Spec 2.3. */
export const confirmFinalContracts = (count: number, accepted: boolean | undefined, context: Context): Promise<void> =>
  confirmed(
    count === 1 ? 'Make the contract final?' : `Make the ${count} contracts final?`,
    '--accept-charges',
    accepted,
    context,
  )

async function checkName(kind: Kind, name: string, given: string, context: Context): Promise<void> {
  if ((await fullName(given, context)) === name) return
  throw usage(`${given} is not the name of the ${kind.name}; nothing was published`, `the name is ${name}`)
}

/** Messages about chain writes that are free, and about those that are charged. */
export const freeLine = (writes: readonly ChainWrite[]) => styled`eth on testnet: ${counted(writes)}, free of charge`
export const chargedLine = (writes: readonly ChainWrite[]) => styled`eth on mainnet: ${counted(writes)} will be charged`

/** `3 chain writes (1 contract, 2 fields)` */
function counted(writes: readonly ChainWrite[]): string {
  const count = (kind: ChainWrite['entry']) => writes.filter(({ entry }) => entry === kind).length
  const parts = (['contract', 'field'] as const).filter((kind) => count(kind) > 0)
  return `${plural(writes.length, 'chain write')} (${parts.map((kind) => plural(count(kind), kind)).join(', ')})`
}
