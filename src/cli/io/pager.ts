import type { Host } from '../host.ts'
import { pipelineVariable } from '../pipeline.ts'
import { withoutSecrets } from '../secret-variables.ts'

export interface PagerChoice {
  /** False under --no-pager. */
  readonly wanted: boolean
  readonly env: Host['env']
}

/**
 * The command that shows long output: $VATOM_PAGER, else $PAGER, else less. Undefined with --no-pager, if the name is
 * empty or cat, on a dumb terminal, and in a pipeline, at whose terminal nobody is.
 */
export function pagerCommand({ wanted, env }: PagerChoice): readonly string[] | undefined {
  if (!wanted || env.TERM === 'dumb' || pipelineVariable(env) !== undefined) return undefined
  const words = wordsOf(env.VATOM_PAGER ?? env.PAGER ?? 'less -FRX')
  return words.length === 0 || words.join(' ') === 'cat' ? undefined : words
}

/** Words as a shell splits them: quotes keep a word together. */
const wordsOf = (command: string) =>
  [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')

/** Shows a text in a pager until it is closed; false if the pager cannot be started. */
export async function showIn(pager: readonly string[], text: string, { runProgram, env }: Host): Promise<boolean> {
  try {
    const less = { LESS: env.LESS ?? 'FRX', LESSCHARSET: env.LESSCHARSET ?? 'utf-8' }
    await runProgram(pager, { ...withoutSecrets(env), ...less }, text)
    return true
  } catch {
    return false
  }
}
