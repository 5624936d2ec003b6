import { tokenHint, withoutTokens } from '../../contract/tokens.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import type { Problem } from '../../documents/load/loaded.ts'
import type { Line } from '../io/text.ts'
import type { FailureCode } from './codes.ts'

/** What the process exits with. */
export const exit = {
  done: 0,
  refused: 1,
  usage: 2,
  invalid: 3,
  session: 4,
  unreachable: 5,
  partial: 6,
  /** Of `plan --exit-code`. */
  different: 10,
  /** Of `serve -- COMMAND`, as shells have them. */
  notExecutable: 126,
  notFound: 127,
  interrupted: 130,
} as const
export type ExitCode = (typeof exit)[keyof typeof exit]

/** One problem of a failure: of a document, or of a request's body. */
export type FailureIssue = Problem | { readonly path: string; readonly message: string }

/** A request that failed, as the service's log names it. */
export interface LoggedRequest {
  readonly id: string
  /** Whether the service logs more than that it failed. */
  readonly isExplained: boolean
}

interface FailureOptions
  extends Partial<Pick<Failure, 'issues' | 'listed' | 'attempts' | 'retryAfter' | 'mayBeDone' | 'request' | 'undone'>> {
  /** Becomes `next`. */
  readonly hint?: string | undefined
  readonly cause?: unknown
}

const checkFirst = 'the service may have done what was sent: check before you send it again'

/** How many requests a hint names. */
const maxIds = 3

/** By what the service's log names requests; that of the local context has no log. */
function requestTexts(requests: readonly LoggedRequest[]): string[] {
  const [first, ...others] = requests.map(({ id }) => id)
  if (first === undefined) return []
  const more = requests.length - maxIds
  const ids = [first, ...others].slice(0, maxIds).join(', ')
  const whole = others.length === 0 ? `id for this request is ${ids}` : `ids for these requests are ${ids}`
  const log = requests.some(({ isExplained }) => isExplained) ? ', and its log, if it has one, says more' : ''
  return [`the service's ${whole}${more > 0 ? ` and ${more} more` : ''}${log}`]
}

/** What to do next: first to check, after a change that may have been made. It ends with what leads on. */
export const hintOf = (
  { mayBeDone, advice }: Pick<Failure, 'mayBeDone' | 'advice'>,
  requests: readonly LoggedRequest[],
): string | undefined =>
  [...(mayBeDone ? [checkFirst] : []), ...requestTexts(requests), ...(advice === undefined ? [] : [advice])].join(
    '; ',
  ) || undefined

/** An issue without the token that was given for a name; a document is shown as it is. */
const shownIssue = (issue: FailureIssue): FailureIssue =>
  'rule' in issue ? issue : { ...issue, path: withoutTokens(issue.path), message: withoutTokens(issue.message) }

/** A failure that is expected: what failed and what to do next, without tokens that were put into a wrong place. */
export class Failure extends Error {
  override readonly name = 'Failure'
  /** What to do next, whatever has become of the record. */
  readonly next: string | undefined
  /** What has become of the record where no change was made: `it was left as it is`. */
  readonly undone: string | undefined
  readonly issues: readonly FailureIssue[]
  /** The issues that the message does not name: all, if not given. */
  readonly listed: readonly FailureIssue[]
  /** How often the request was sent, if more than once. */
  readonly attempts: number | undefined
  /** Seconds after which the service asks to try again. */
  readonly retryAfter: number | undefined
  /** Whether a change was sent, and it is unknown if it was made. */
  readonly mayBeDone: boolean
  readonly request: LoggedRequest | undefined

  constructor(
    /** Stable, for scripts. */
    readonly code: FailureCode,
    readonly exitCode: ExitCode,
    message: string,
    options: FailureOptions = {},
  ) {
    const { hint = '', cause } = options
    const shown = withoutTokens(message)
    super(shown, { cause })
    this.next = shown === message && withoutTokens(hint) === hint ? options.hint : tokenHint
    this.undone = options.undone
    this.issues = (options.issues ?? []).map(shownIssue)
    this.listed = options.listed?.map(shownIssue) ?? this.issues
    this.attempts = options.attempts
    this.retryAfter = options.retryAfter
    this.mayBeDone = options.mayBeDone ?? false
    const id = options.request?.id ?? ''
    this.request = withoutTokens(id) === id ? options.request : undefined
  }

  /** What to do next, without what `mayBeDone` and `request` add to it. */
  get advice(): string | undefined {
    return [this.mayBeDone ? undefined : this.undone, this.next].filter(Boolean).join('; ') || undefined
  }

  /** What to do next. */
  get hint(): string | undefined {
    return hintOf(this, this.request ? [this.request] : [])
  }
}

/** The failure of what nobody has foreseen. */
export const unexpected = (cause: unknown, hint = 'to see the cause, add --debug') =>
  new Failure('unexpected', exit.refused, `Unexpected failure: ${messageOf(cause)}`, { hint, cause })

/** A failure of how the command was called. */
export const usage = (message: string, hint?: string) => new Failure('usage', exit.usage, message, { hint })

/** The failure of what needs the current folder, where that was deleted. */
export const goneFolder = () => usage('The current folder was deleted', 'run it in a folder that exists')

/** The failure of a command whose page is missing in the build. */
export const notBuilt = (command: string) =>
  new Failure('not_built', exit.refused, `What the ${command} shows in a browser is not built`, {
    hint: 'run npm run build, or install vatom again',
  })

/** The failure of what the user ended. */
export const interrupted = (message = 'interrupted', mayBeDone = false) =>
  new Failure('interrupted', exit.interrupted, message, { mayBeDone })

/** What is said of a run that was interrupted and has done all nevertheless. */
export const allSent = 'interrupted when all had been sent'

/** A failure whose results were already shown, by a command or by the program it ran. */
export class Reported extends Error {
  override readonly name = 'Reported'
  constructor(
    readonly exitCode: number,
    /** Why it failed and what to do next: printed behind all else. */
    readonly ending: readonly Line[] = [],
  ) {
    super('reported')
  }
}
