import { dryRunDone, dryRunHeader, dryRunOffered } from '../../contract/api/dry-run.ts'
import { type Operation, operations } from '../../contract/api/table.ts'
import { type Warning, warningHeader } from '../../contract/api/warnings.ts'

/** What an answer says besides its payload, in `Vatom-…` headers. */
export class Notices {
  readonly #headers: Record<string, string> = { [dryRunHeader]: dryRunOffered }
  #warnings: Warning[] = []

  /** Names what an operation assumes, if it does. */
  assumptionsOf(operation: Operation): void {
    const assumption = assumptionOf(operation)
    if (assumption !== undefined) this.#headers['vatom-assumed'] = assumption
  }

  /** Names the keys of a body that were ignored. */
  ignored(keys: readonly string[]): void {
    if (keys.length > 0) this.#headers['vatom-ignored'] = headerText(keys, ', ')
  }

  /** Marks the answer as that of a dry run. */
  dryRun(): void {
    this.#headers[dryRunHeader] = dryRunDone
  }

  /** Removes the warnings of an operation that is carried out again. */
  clearWarnings(): void {
    this.#warnings = []
  }

  warn(warning: Warning): void {
    this.#warnings.push(warning)
  }

  /** The headers of the answer. */
  headers(): Readonly<Record<string, string>> {
    if (this.#warnings.length > 0) this.#headers['vatom-warning'] = warningHeader(this.#warnings)
    return this.#headers
  }
}

const assumptions = new Map<Operation, string | undefined>()

function assumptionOf(operation: Operation): string | undefined {
  if (assumptions.size === 0)
    for (const [name, { assumed }] of operations) assumptions.set(name, assumed && headerText([assumed], ''))
  return assumptions.get(operation)
}

const longest = 2000

/** Text that may stand in a header: printable ASCII; other characters percent-encoded, cut when long. */
function headerText(parts: readonly string[], separator: string): string {
  const wellFormed = parts.join(separator).replace(/\p{Cs}/gu, '?')
  const text = wellFormed.replace(/[^\x20-\x7e]+/gu, encodeURIComponent)
  return text.length > longest ? `${text.slice(0, longest)}...` : text
}
