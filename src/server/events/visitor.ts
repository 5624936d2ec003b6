import type { Sharer } from '../store/shared-places.ts'

/** Who has a connection, or wants one. */
export interface Visitor extends Sharer {
  readonly session: string
}
