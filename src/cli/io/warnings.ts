import type { Warning } from '../../contract/api/warnings.ts'
import type { Output } from './output.ts'
import { styled } from './text.ts'

/** The service's warnings, until they are printed. */
export interface Warnings {
  receive(warnings: readonly Warning[]): void
  /** Those received since the last time. */
  take(): readonly Warning[]
}

export function createWarnings(): Warnings {
  const received: Warning[] = []
  return { receive: (warnings) => void received.push(...warnings), take: () => received.splice(0) }
}

/** Prints warnings, after the name of the document if there are several. */
export function printWarnings(warnings: readonly Warning[], output: Output, subject?: string): void {
  for (const { message } of warnings) output.warn(subject === undefined ? message : styled`${subject}: ${message}`)
}
