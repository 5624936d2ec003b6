import { kindOf } from '../../../contract/kinds/kinds.ts'
import { type ChainWrite, chainWrites, isCharged } from '../../../contract/vatom/chain.ts'
import type { Plan, Step } from './plan.ts'

/** What a plan writes to chains: on mainnet it is charged. Spec 2.3. */
export interface PlanWrites {
  readonly charged: readonly ChainWrite[]
  readonly free: readonly ChainWrite[]
}

/** All that a plan writes to chains. */
export function chainWritesOf({ steps }: Pick<Plan, 'steps'>): PlanWrites {
  const changes = steps.flatMap(({ chain }) => chain)
  const writes = (some: typeof changes) => some.flatMap(({ before, after }) => chainWrites(before, after))
  return {
    charged: writes(changes.filter(({ after }) => isCharged(after))),
    free: writes(changes.filter(({ after }) => !isCharged(after))),
  }
}

/** Steps that are charged, and those of a template whose own step is: they come last. Spec 2.3. */
export function chargedSteps(steps: readonly Step[]): ReadonlySet<Step> {
  const charged = new Set(steps.filter(isChargedStep))
  const names = new Set([...charged].map(({ document }) => document.name))
  const dependent = steps.filter(({ document }) => names.has(kindOf(document.kind).templateOf(document.value) ?? ''))
  return new Set([...charged, ...dependent])
}

const isChargedStep = ({ chain }: Step): boolean =>
  chain.some(({ before, after }) => isCharged(after) && chainWrites(before, after).length > 0)

/** Whether publishing a step's document makes a contract on mainnet final. Spec 2.3, 3. */
export const makesContractFinal = ({ document, record, publishes }: Step): boolean =>
  publishes && (isCharged(document.value.eth) || isCharged(record?.changes.eth.after))
