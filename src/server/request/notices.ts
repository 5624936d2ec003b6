import { dryRunDone, dryRunHeader, dryRunSupported } from '../../contract/api/dry-run-header.ts'
import { short, type Warning, warningHeader } from '../../contract/api/warnings.ts'
import { limits } from '../../contract/limits.ts'

/** The `Vatom-…` headers of an answer. */
export class Notices {
  readonly #headers: Record<string, string> = { [dryRunHeader]: dryRunSupported }
  /** By their JSON. */
  readonly #warnings = new Map<string, Warning>()

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
    this.#warnings.clear()
  }

  /** Adds a warning, short. One that is there already is not added again: a write may begin again. */
  warn(long: Warning): void {
    const warning = short(long)
    if (this.#warnings.size < limits.warningsKept) this.#warnings.set(JSON.stringify(warning), warning)
  }

  /** The headers of the answer. */
  headers(): Readonly<Record<string, string>> {
    if (this.#warnings.size > 0) this.#headers['vatom-warning'] = warningHeader([...this.#warnings.values()])
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
