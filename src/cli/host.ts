import type { Readable, Writable } from 'node:stream'
import type { Service, ServiceOptions } from '../server/service.ts'

/** Where text goes. Only of a terminal the size may be known. */
export interface Sink {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  /** False once its reader has gone. */
  readonly writable?: boolean
  readonly write: (text: string | Uint8Array) => unknown
  /** Writes a text unless its reader would keep it waiting; returns whether it did. Without it, `write` is used. */
  readonly offer?: (text: string) => boolean
}
export type Terminal = Sink & Writable

/** Whether people look at what is written. */
export const isTerminal = (sink: Sink): sink is Terminal => sink.isTTY === true

export type Source = Readable & { readonly isTTY?: boolean; readonly setRawMode?: (isRaw: boolean) => unknown }

/** Everything a run takes from the outside; tests bring their own. */
export interface Host {
  readonly stdin: Source
  readonly stdout: Sink
  readonly stderr: Sink
  /** Standard error for what is printed while others wait for this process: it waits for no reader. */
  readonly openLog: () => Sink
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  /** Names this build of the tool; what is cached for it is not used by another. Undefined when run from source. */
  readonly build: string | undefined
  /** The folder of what the build has made for browsers; undefined when run from source. */
  readonly pages: string | undefined
  readonly now: () => Date
  /** Milliseconds on a clock that only goes forward. */
  readonly monotonic: () => number
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly random: () => number
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** From now on a request to terminate does not end the process, but aborts this. */
  readonly termination: () => AbortSignal
  /** All that was done is reported: from now on a second Ctrl-C ends the process without another word. */
  readonly reported: () => void
  /** Whether a shell runs this as a job in the background, which is stopped as soon as it reads or sets the terminal. */
  readonly isInBackground: () => boolean
  /** Stops the job that this process is of, as Ctrl-Z does; resolves once its shell has it go on. */
  readonly suspend: () => Promise<void>
  /** From now on the end of the process that started this one is a request to terminate. */
  readonly endWithParent: () => Promise<void>
  /**
   * Runs a program with this process's streams, or a text as its input, and an environment, and passes on to it what
   * signals come meanwhile, which then do nothing else. Resolves with its exit code, 128 and the signal's number where one
   * ended it; rejects where it cannot be started.
   */
  readonly runProgram: (command: readonly string[], env: Host['env'], input?: string) => Promise<number>
  /** Opens an address in the browser of this machine, and does not wait for it. */
  readonly openBrowser: (url: string) => void
  /** Opens the service inside this process. */
  readonly openService: (options: ServiceOptions) => Promise<Service>
}
