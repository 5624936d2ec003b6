import { AsyncLocalStorage } from 'node:async_hooks'
import type { Warning } from '../../contract/api/warnings.ts'
import type { Output } from './output.ts'
import { styled } from './text.ts'

/** The service's warnings, until they are printed. */
export interface Warnings {
  receive(warnings: readonly Warning[]): void
  /** Those received since the last time. */
  take(): readonly Warning[]
  /** Does work, and adds what the service warns of in its answers to a list, instead of to those to take. */
  collect<T>(into: Warning[], work: () => Promise<T>): Promise<T>
}

/** Where the work that runs now collects them. One for all: each takes time whenever a promise is made, for good. */
const collecting = new AsyncLocalStorage<Warning[]>()

export function createWarnings(): Warnings {
  const received: Warning[] = []
  return {
    receive: (warnings) => void (collecting.getStore() ?? received).push(...warnings),
    take: () => received.splice(0),
    collect: (into, work) => collecting.run(into, work),
  }
}

/** Prints warnings, after the name of the document if there are several. */
export function printWarnings(warnings: readonly Warning[], output: Output, subject?: string): void {
  for (const { message } of warnings) output.warn(subject === undefined ? message : styled`${subject}: ${message}`)
}
