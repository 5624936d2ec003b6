import { printableLine } from '../../contract/printable.ts'
import { Failure, usage } from '../failure/failure.ts'
import type { Globals } from '../globals.ts'
import { type Host, isTerminal } from '../host.ts'
import { pipelineVariable } from '../pipeline.ts'
import type * as asking from './ask.ts'
import { defaultColumns, wrapped } from './text.ts'

type Asking = typeof asking

/** Where questions are asked. */
interface Streams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream | undefined
  readonly signal: AbortSignal
  readonly clearPromptOnDone: boolean
}

/** What is expected of a typed text. */
export interface TextAnswer {
  /** The text if only Enter is pressed. */
  readonly preset?: string
  /** Throws a Failure for an invalid text, which is shown before the question is asked again. */
  readonly check?: (text: string) => unknown
}

/** One of several values, of which any number can be chosen. */
export interface Choice {
  readonly value: string
  readonly text: string
  readonly checked: boolean
}

/** Questions to a person. Each has a flag, which the failure names if there is no terminal. */
export interface Prompt {
  /** Throws a usage error that names the flag, if there is no terminal. */
  needPerson(what: string, flag: string): void
  /** Whether there is a terminal to ask on. */
  canAsk(): boolean
  text(question: string, flag: string, answer?: TextAnswer): Promise<string>
  /** A known text that must be typed again; `no` if only Enter is pressed. */
  retyped(question: string, flag: string, expected: string): Promise<string>
  /** One of several values, each with its text; the first is the default. */
  choose<V extends string>(question: string, flag: string, values: Readonly<Record<V, string>>): Promise<V>
  /** Some of several values, each with its text; those that are `checked` unless changed. */
  chooseSome(question: string, flag: string, choices: readonly Choice[]): Promise<readonly string[]>
  secret(question: string, flag: string): Promise<string>
  /** Whether the flag or the person says yes. */
  confirm(question: string, flag: string, given: boolean | undefined): Promise<boolean>
}

/**
 * In a dry run nothing is asked: every confirmation counts as given, a question with a default has that answer, and
 * anything else must be given with its flag.
 */
export function createPrompt(host: Host, { input }: Globals, isDry: () => boolean): Prompt {
  const screen = isTerminal(host.stderr) ? host.stderr : undefined
  // Some pipelines give their jobs a terminal, at which nobody is.
  const pipeline = pipelineVariable(host.env)
  const canAsk = () => !isDry() && input && pipeline === undefined && screen !== undefined && host.stdin.isTTY === true
  const ask = async <T>(question: (asking: Asking, on: Streams) => Promise<T>): Promise<T> => {
    const asking = await import('./ask.ts')
    const typed: number[] = []
    for (;;) {
      // Ctrl-D closes the line that is read, which the library notices only when the process ends.
      const closed = new AbortController()
      const stopped = new AbortController()
      const signal = AbortSignal.any([host.signal, closed.signal, stopped.signal])
      const keys = asking.keyByKey(host.stdin, { typed, onCtrlZ: () => stopped.abort() })
      keys.once('pause', () => closed.abort())
      try {
        return await question(asking, { input: keys, output: screen, signal, clearPromptOnDone: false })
      } catch (error) {
        if (!stopped.signal.aborted) throw error
      } finally {
        host.stdin.unpipe(keys)
      }
      await host.suspend()
    }
  }
  const whyNot = () => {
    if (isDry()) return 'a dry run asks nothing'
    if (!input) return '--no-input allows no question'
    return pipeline === undefined ? 'there is no terminal to ask on' : `${pipeline} is set: a pipeline is asked nothing`
  }
  const lines = (question: string) =>
    wrapped(printableLine(question), (screen?.columns || defaultColumns) - around).join('\n')
  const unanswered = (question: string) => `This needs an answer, and ${whyNot()}: ${question}`
  const needAnswer = (what: string, flag: string) => {
    if (!canAsk()) throw usage(`${what} is missing, and ${whyNot()}`, `give it with ${flag}`)
  }
  const needPerson = (what: string, flag: string) => {
    if (!isDry()) needAnswer(what, flag)
  }
  return {
    needPerson,
    canAsk,
    text: async (question, flag, { preset, check } = {}) => {
      if (isDry() && preset !== undefined) return preset
      needAnswer(question, flag)
      const message = lines(question)
      const usual = preset !== undefined && { default: preset }
      const validate = (text: string) => fault(text, check)
      return await ask(({ input }, on) => input({ message, required: true, ...usual, validate, theme: typedAgain }, on))
    },
    retyped: async (question, flag, expected) => {
      if (isDry()) return expected
      if (!canAsk()) throw usage(unanswered(question), `give it with ${flag}`)
      return await ask(({ input }, on) => input({ message: lines(question), default: 'no' }, on))
    },
    choose: async <V extends string>(question: string, flag: string, values: Readonly<Record<V, string>>) => {
      const choices = (Object.keys(values) as V[]).map((value) => ({ value, name: printableLine(values[value]) }))
      const [usual] = choices
      if (isDry() && usual) return usual.value
      needAnswer(question, flag)
      const message = lines(
        choices.length <= onePage ? question : `${question} Type a part of one of ${choices.length}:`,
      )
      const source = (part = '') => choices.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()))
      return await ask(({ search }, on) => search({ message, source }, on))
    },
    chooseSome: async (question, flag, choices) => {
      if (isDry()) return choices.filter(({ checked }) => checked).map(({ value }) => value)
      needAnswer(question, flag)
      const shown = choices.map(({ value, text, checked }) => ({ value, name: printableLine(text), checked }))
      return await ask(({ checkbox }, on) => checkbox({ message: lines(question), choices: shown }, on))
    },
    secret: async (message, flag) => {
      needAnswer(message, flag)
      return await ask(({ password }, on) => password({ message, mask: true }, on))
    },
    confirm: async (question, flag, given) => {
      if (given || isDry()) return true
      if (!canAsk()) throw usage(unanswered(question), `to answer yes, add ${flag}`)
      return await ask(({ confirm }, on) => confirm({ message: lines(question), default: false }, on))
    },
  }
}

/** Values that are shown at once. */
const onePage = 7

/** A refused text makes room for the one that is typed next. */
const typedAgain = { validationFailureMode: 'clear' } as const

/** What stands before and behind a question: `? `, ` (y/N) `. */
const around = 9

/** True for a valid text, else what is wrong with it. */
function fault(text: string, check: TextAnswer['check']): true | string {
  try {
    check?.(text)
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return printableLine([error.message, error.hint].filter(Boolean).join(': '))
  }
}
