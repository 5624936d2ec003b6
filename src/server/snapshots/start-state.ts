import type { ServiceState } from './copy.ts'
import { type MemorySnapshot, memorySnapshot } from './memory-snapshot.ts'
import { reset } from './reset.ts'

/** The state of a temporary service that tests return to: as it was when it was remembered; without data until then. */
export class StartState {
  #snapshot: MemorySnapshot | undefined

  /** Remembers the current state. */
  async remember(service: ServiceState): Promise<void> {
    this.close()
    this.#snapshot = await memorySnapshot(service)
  }

  /** Returns to what was remembered. */
  async restore(service: ServiceState): Promise<void> {
    if (this.#snapshot) await this.#snapshot.restore()
    else await reset(service)
  }

  close(): void {
    this.#snapshot?.close()
    this.#snapshot = undefined
  }
}
