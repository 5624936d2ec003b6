import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Problem, sentenceOf } from './problem.tsx'

/** What is loaded, and how to load it again. */
export interface Loading<T> {
  readonly value: Signal<T | undefined>
  readonly problem: Signal<string | undefined>
  readonly reload: () => void
}

/** Loads something when a screen is shown, and when `key` is another. Only the answer to the latest load counts. */
export function useLoading<T>(load: () => Promise<T>, key = ''): Loading<T> {
  const value = useSignal<T | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const latest = useRef<Promise<T> | undefined>(undefined)
  const reload = () => {
    const loading = load()
    latest.current = loading
    loading.then(
      (loaded) => {
        if (latest.current !== loading) return
        value.value = loaded
        problem.value = undefined
      },
      (error: unknown) => {
        if (latest.current === loading) problem.value = sentenceOf(error)
      },
    )
  }
  useEffect(reload, [key])
  return { value, problem, reload }
}

interface HeadingProps {
  readonly title: string
  readonly loading: Pick<Loading<unknown>, 'reload'>
}

/** The heading of what is loaded, with a button that loads it again. */
export const LoadedHeading = ({ title, loading }: HeadingProps) => (
  <div class="tools heading">
    <h2>{title}</h2>
    <button type="button" onClick={loading.reload}>
      Reload
    </button>
  </div>
)

interface LoadedProps<T> {
  readonly loading: Loading<T>
  readonly children: (value: T) => ComponentChildren
}

/** Shows what is loaded, or that it is not yet, or why it cannot be. */
export function Loaded<T>({ loading: { value, problem, reload }, children }: LoadedProps<T>) {
  return (
    <>
      {problem.value !== undefined && (
        <Problem>
          {problem.value}{' '}
          <button type="button" onClick={reload}>
            Try again
          </button>
        </Problem>
      )}
      {value.value === undefined ? problem.value === undefined && <p class="muted">Loading</p> : children(value.value)}
    </>
  )
}
