import type { Assets } from '../assets/asset-folder.ts'
import type { Clock } from '../domain/clock.ts'
import type { Store } from '../store/store.ts'

/** What is copied, replaced and emptied: the records and assets of a service. */
export interface ServiceState {
  readonly store: Store
  readonly assets: Assets
  /** Times of copies, and of publishers who begin anew. */
  readonly clock: Clock
}
