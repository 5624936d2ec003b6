import { type Signal, useSignal } from '@preact/signals'
import { sentenceOf } from './problem.tsx'

/** Something that a person does with a form or a button. */
export interface Attempt {
  /** Why the latest one failed. */
  readonly problem: Signal<string | undefined>
  /** What the latest one has done, as a sentence. */
  readonly said: Signal<string | undefined>
  readonly isBusy: Signal<boolean>
  /** Does it, and shows how it ended; a text that `work` answers says more of that. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<void>
}

/** Follows what a person does, and how it ended. */
export function useAttempt(): Attempt {
  const problem = useSignal<string | undefined>(undefined)
  const said = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const attempt: Attempt['attempt'] = async (work) => {
    problem.value = undefined
    said.value = undefined
    isBusy.value = true
    try {
      const done = await work()
      if (typeof done === 'string') said.value = done
    } catch (error) {
      problem.value = sentenceOf(error)
    }
    isBusy.value = false
  }
  return { problem, said, isBusy, attempt }
}
