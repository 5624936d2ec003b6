import { kindOf } from '../../../contract/kinds/kinds.ts'
import { isCharged } from '../../../contract/vatom/chain.ts'
import { type ChainChange, chainWritesOf } from '../../kinds/chain-changes.ts'
import type { Step } from './plan.ts'

interface Chained {
  readonly chain: readonly Partial<ChainChange>[]
}

/** All that a plan writes to chains. Spec 2.3. */
export const planWritesOf = ({ steps }: { readonly steps: readonly Chained[] }) =>
  chainWritesOf(steps.flatMap(({ chain }) => chain))

/** Steps that are charged, and those of a template whose own step is: they come last. Spec 2.3. */
export function chargedSteps(steps: readonly Step[]): ReadonlySet<Step> {
  const charged = new Set(steps.filter(isChargedStep))
  const names = new Set([...charged].map(({ document }) => document.name))
  const dependent = steps.filter(({ document }) => names.has(kindOf(document.kind).templateOf(document.value) ?? ''))
  return new Set([...charged, ...dependent])
}

/** Whether a step itself is charged, which cannot be undone. */
export const isChargedStep = ({ chain }: Step): boolean => chainWritesOf(chain).charged.length > 0

/** What publishing such a document does, and what it takes; the same plan may be saved or not. */
export const contractText =
  'eth on mainnet: publishing makes the contract final for every vAtom emitted; a saved plan accepts that, and apply without one takes --accept-charges'

/** Whether publishing a step's document makes a contract on mainnet final. Spec 2.3, 3. */
export const makesContractFinal = ({ document, record, publishes }: Step): boolean =>
  publishes && (isCharged(document.value.eth) || isCharged(record?.changes.eth.after))
