import type { Handler } from '../handlers.ts'

/** The caller's accounts on chains, of which there are none. */
export const listAccounts: Handler<'listAccounts'> = () => []
