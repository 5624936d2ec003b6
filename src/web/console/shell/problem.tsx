import type { ComponentChildren } from 'preact'
import type { Attempt } from './use-attempt.ts'

/** What went wrong, and what to do about it. */
export const Problem = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="problem" role="alert">
    {children}
  </p>
)

/** How the latest attempt ended, once it has. */
export const Outcome = ({ of: { problem, said } }: { readonly of: Pick<Attempt, 'problem' | 'said'> }) => (
  <>
    {said.value !== undefined && <p role="status">{said.value}</p>}
    {problem.value !== undefined && <Problem>{problem.value}</Problem>}
  </>
)

/** An error as a sentence for people. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What is shown where there is nothing, and how that changes. */
export const Empty = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section class="empty">
    <h2>{title}</h2>
    {children}
  </section>
)
