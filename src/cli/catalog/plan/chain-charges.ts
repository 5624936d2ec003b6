import { type ChainWrite, chainWrites, isCharged } from '../../../contract/vatom/chain.ts'
import type { Plan, Step } from './compare.ts'

/** What a plan writes to chains: on mainnet it is charged. Spec 2.3. */
export interface PlanWrites {
  readonly charged: readonly ChainWrite[]
  readonly free: readonly ChainWrite[]
}

export function writesOf({ steps }: Pick<Plan, 'steps'>): PlanWrites {
  const changes = steps.flatMap(({ chain }) => chain)
  const made = (some: typeof changes) => some.flatMap(({ before, after }) => chainWrites(before, after))
  return {
    charged: made(changes.filter(({ after }) => isCharged(after))),
    free: made(changes.filter(({ after }) => !isCharged(after))),
  }
}

/** Whether publishing a step's document makes a contract on mainnet final. Spec 2.3, 3. */
export const finalContract = ({ document, standing, publishes }: Step): boolean =>
  publishes && (isCharged(document.value.eth) || isCharged(standing?.changes.eth.after))
