/** The global options, as commander hands them over. */
export interface Globals {
  readonly context?: string
  readonly baseUrl?: string
  readonly appId?: string
  /** Seconds until a request is given up. */
  readonly timeout: number
  readonly json?: boolean
  readonly quiet?: boolean
  readonly debug?: boolean
  readonly insecure?: boolean
  /** False under --no-input. */
  readonly input: boolean
  /** False under --no-pager. */
  readonly pager: boolean
  /** --color, --no-color, or neither. */
  readonly color?: boolean
}
