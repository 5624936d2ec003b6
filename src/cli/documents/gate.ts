import { at, isObject } from '../../contract/path.ts'
import type { LoadedDocument } from '../../documents/types.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { styled } from '../output/text.ts'

export interface GateOptions {
  readonly yes?: boolean
  readonly acceptCharges?: boolean
}

/** Asks before documents that publish as they are created, and before charges. */
export async function gateCreation(
  documents: readonly LoadedDocument[],
  { yes, acceptCharges }: GateOptions,
  context: Context,
): Promise<void> {
  const publishing = documents.filter((document) => document.value.unpublished === false)
  if (publishing.length > 0) {
    const names = publishing.map((document) => document.name).join(', ')
    context.output.warn(styled`unpublished is false: ${names} will be published as created, which is final`)
    const agreed = await context.prompt.confirm(`Publish ${publishing.length === 1 ? 'it' : 'them'}?`, '--yes', yes)
    if (!agreed) throw declined()
  }
  await gateCharges(
    documents.map((document) => document.value.eth),
    acceptCharges,
    context,
  )
}

/** Says how many chain writes will be charged, and wants them accepted. Spec 2.3. */
export async function gateCharges(
  sections: readonly unknown[],
  accepted: boolean | undefined,
  context: Context,
): Promise<void> {
  const writes = sections.reduce<number>((sum, eth) => sum + chargedWrites(eth), 0)
  if (writes === 0) return
  context.output.warn(
    styled`eth on mainnet: ${writes} chain writes will be charged (a contract, and one for each field)`,
  )
  if (!(await context.prompt.confirm('Accept the charges?', '--accept-charges', accepted))) throw declined()
}

/** A contract and one write for each field, on mainnet; testnet costs nothing. */
function chargedWrites(eth: unknown): number {
  if (at(eth, 'network') !== 'mainnet') return 0
  const fields = at(eth, 'fields')
  return 1 + (isObject(fields) ? Object.keys(fields).length : 0)
}

export const declined = () => new Failure('declined', exit.refused, 'Nothing was done: the answer was no')
