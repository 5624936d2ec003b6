import type { Problem } from '../../documents/load/loaded.ts'

/** What the process answers. */
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

/** A failure that is expected: what failed and what to do next. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly hint: string | undefined
  readonly issues: readonly FailureIssue[]

  constructor(
    /** Stable, for scripts. */
    readonly code: string,
    readonly exitCode: ExitCode,
    message: string,
    options: { hint?: string | undefined; issues?: readonly FailureIssue[]; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.hint = options.hint
    this.issues = options.issues ?? []
  }
}

/** A failure of how the command was called. */
export const usage = (message: string, hint?: string) => new Failure('usage', exit.usage, message, { hint })

/** What an error of any kind says. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A failure that was reported already, by a command or by the program it ran; only its exit code is left to give. */
export class Reported extends Error {
  override readonly name = 'Reported'
  constructor(readonly exitCode: number) {
    super('reported')
  }
}
