import type { Kind } from '../../contract/kinds/kind.ts'
import { isObject } from '../../contract/schema/path.ts'
import { type ChainWrite, chainWrites, isCharged } from '../../contract/vatom/chain.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { styled } from '../io/text.ts'
import { type ChainChange, chainWritesOf, creationChanges } from './chain-changes.ts'

export interface GateOptions {
  readonly yes?: boolean
  readonly acceptCharges?: boolean
}

/** Asks before documents that publish as they are created, and before charges. */
export async function gateCreation(
  kind: Kind,
  documents: readonly LoadedDocument[],
  { yes, acceptCharges }: GateOptions,
  context: Context,
): Promise<void> {
  const publishing = documents.filter((document) => document.value.unpublished === false).map(({ name }) => name)
  await gatePublishing(publishing, yes, context)
  await gateWrites(await creationChanges(kind, documents, context), acceptCharges, context)
}

async function gatePublishing(names: readonly string[], yes: boolean | undefined, context: Context): Promise<void> {
  if (names.length === 0) return
  context.output.warn(
    styled`${names.join(', ')} will be published at once, because unpublished is false; publishing is final`,
  )
  if (!(await context.prompt.confirm(`Publish ${names.length === 1 ? 'it' : 'them'}?`, '--yes', yes))) throw declined()
}

/** Says how many chain writes a command causes, and on mainnet wants their charges accepted. Spec 2.3. */
export async function gateWrites(
  changes: readonly ChainChange[],
  accepted: boolean | undefined,
  context: Context,
): Promise<void> {
  const { free, charged } = chainWritesOf(changes)
  if (free.length > 0) context.output.note(freeLine(free))
  if (charged.length === 0) return
  context.output.warn(chargedLine(charged))
  if (!(await context.prompt.confirm('Accept the charges?', '--accept-charges', accepted))) throw declined()
}

/**
 * Says what publishing an `eth` section makes final, and on mainnet wants that accepted. Its writes were made with the
 * draft: publishing changes no value. Spec 2.3, 3.
 */
export async function gatePublication(eth: unknown, accepted: boolean | undefined, context: Context): Promise<void> {
  if (!isObject(eth)) return
  const writes = counted(chainWrites(undefined, eth))
  if (!isCharged(eth)) {
    context.output.note(styled`eth on testnet: the draft made ${writes}, free of charge; publishing makes none`)
    return
  }
  context.output.warn(
    styled`eth on mainnet: the draft made ${writes}, which were charged then; publishing makes none, but makes the contract final for every vAtom emitted`,
  )
  if (!(await context.prompt.confirm('Make the contract final?', '--accept-charges', accepted))) throw declined()
}

/** What people are told of writes that cost nothing, and of those that are charged. */
export const freeLine = (writes: readonly ChainWrite[]) => styled`eth on testnet: ${counted(writes)}, free of charge`
export const chargedLine = (writes: readonly ChainWrite[]) => styled`eth on mainnet: ${counted(writes)} will be charged`

/** `3 chain writes (1 contract, 2 fields)` */
function counted(writes: readonly ChainWrite[]): string {
  const count = (kind: ChainWrite['entry']) => writes.filter(({ entry }) => entry === kind).length
  const parts = (['contract', 'field'] as const).filter((kind) => count(kind) > 0)
  return `${plural(writes.length, 'chain write')} (${parts.map((kind) => plural(count(kind), kind)).join(', ')})`
}

export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

export const declined = () => new Failure('declined', exit.refused, 'Nothing was done: the answer was no')
