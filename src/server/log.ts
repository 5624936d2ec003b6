import type { Operation } from '../contract/api/table.ts'

/** What a line of the log says, as data: no query, body, code or address. */
export type Logged =
  | {
      readonly event: 'request'
      readonly request_id: string
      readonly method: string
      readonly path: string
      readonly operation?: Operation
      readonly status: number | 'dropped'
      readonly duration_ms: number
      readonly user_id?: string
      readonly dry_run?: true
    }
  | { readonly event: 'message'; readonly kind: string; readonly token_type: string }
  | { readonly event: 'error'; readonly request_id: string; readonly message: string }

/** Takes one line a request or event; a line without data has neither secrets nor codes. */
export type Log = (line: string, logged?: Logged) => void
