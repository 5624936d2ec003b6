import type { WireRequest, WireResponse } from '../contract/api/wire.ts'

/** Carries a request to the service; throws UnreachableError when no answer comes. */
export type Transport = (request: WireRequest) => Promise<WireResponse>
