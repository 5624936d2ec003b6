import type { Output } from './output.ts'
import { styled } from './text.ts'

/** What the service said of what it did, until it is told. */
export interface Warnings {
  hear(parts: readonly string[]): void
  /** What was heard since the last time. */
  take(): readonly string[]
}

export function createWarnings(): Warnings {
  const heard: string[] = []
  return { hear: (parts) => void heard.push(...parts), take: () => heard.splice(0) }
}

/** Says what the service said of something; of one thing among several, after its name. */
export function tellWarnings(parts: readonly string[], output: Output, about?: string): void {
  for (const part of parts) output.warn(about === undefined ? part : styled`${about}: ${part}`)
}
