import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { sentenceOf } from './problem.tsx'

/** What the latest search found, and why it failed. */
interface Search<T> {
  readonly result: Signal<T | undefined>
  readonly problem: Signal<string | undefined>
}

/**
 * Searches when a screen is shown, and again when signals that `prepare` reads have changed; it answers the search. Of
 * changes within `pause` milliseconds only the last one is searched for.
 */
export function useSearch<T>(pause: number, prepare: () => () => Promise<T>): Search<T> {
  const result = useSignal<T | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  useSignalEffect(() => {
    const search = prepare()
    let isOver = false
    const timer = setTimeout(() => {
      search().then(
        (found) => {
          if (isOver) return
          result.value = found
          problem.value = undefined
        },
        (error: unknown) => {
          if (!isOver) problem.value = sentenceOf(error)
        },
      )
    }, pause)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  })
  return { result, problem }
}
