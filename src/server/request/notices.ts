import { dryRunDone, dryRunHeader, dryRunSupported } from '../../contract/api/dry-run-header.ts'
import { WarningList, type WarningSource } from '../../contract/api/warnings.ts'
import { limits } from '../../contract/limits.ts'
import { ofLastAttempt } from '../store/last-attempt.ts'

/** The `Vatom-…` headers of an answer. */
export class Notices {
  readonly #headers: Record<string, string> = { [dryRunHeader]: dryRunSupported }
  #warnings = new WarningList()

  /** Adds the assumption that an operation rests on, if any. */
  assumption(assumed: string | undefined): void {
    if (assumed !== undefined) this.#headers['vatom-assumed'] = headerText(assumed)
  }

  /** Names the keys of a body that were ignored. */
  ignored(keys: readonly string[]): void {
    if (keys.length > 0) this.#headers['vatom-ignored'] = headerText(keys.join(', '))
  }

  /** Says in the answer that the header of a dry run arrived. */
  dryRun(): void {
    this.#headers[dryRunHeader] = dryRunDone
  }

  /** Removes all warnings, for an operation that is carried out again. */
  clearWarnings(): void {
    this.#warnings = new WarningList()
  }

  warn(warning: WarningSource): void {
    this.#warnings.add(warning)
  }

  /** For writes in steps: only the warnings of the last attempt count. */
  readonly ofLastAttempt = ofLastAttempt(() => this.#warnings.mark())

  /** The headers of the answer. */
  headers(): Readonly<Record<string, string>> {
    if (!this.#warnings.isEmpty) this.#headers['vatom-warning'] = this.#warnings.header()
    return this.#headers
  }
}

/** Text for a header: other characters than printable ASCII are percent-encoded, long text is cut. */
function headerText(full: string): string {
  const text = full
    .slice(0, limits.headerText + 1)
    .replace(/\p{Cs}/gu, '?')
    .replace(/[^\x20-\x7e]+/gu, encodeURIComponent)
  return text.length > limits.headerText ? `${text.slice(0, limits.headerText)}...` : text
}
