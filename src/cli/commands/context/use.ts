import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import type { Prompt } from '../../io/prompt.ts'
import { noteNaming } from '../../service/current-context.ts'
import { contextNames, knownContexts } from '../../service/target.ts'

export const useCommand = (context: Context): Command =>
  new Command('use')
    .summary('make a context current')
    .description('Make a context current: later commands talk to it.')
    .argument('[name]', 'a context, or local; on a terminal you can choose it')
    .addHelpText('after', '\nExamples:\n  vatom context use staging\n  vatom context use local')
    .action((name: string | undefined) => use(name, context))

async function use(given: string | undefined, { host, config, output, prompt }: Context): Promise<void> {
  const known = contextNames(await config.read())
  const name = given ?? (await chosen(known, prompt))
  if (!known.includes(name)) throw usage(`There is no context named ${name}`, knownContexts(known, name))
  await config.update((now) => ({ ...now, current: name }), host.signal)
  output.report({ current: name }, () => [`${name} is the current context now.`])
  await noteNaming(name, { host, config, output })
}

function chosen(known: readonly string[], prompt: Prompt): Promise<string> {
  if (!prompt.canAsk()) throw usage('No context given', `name one: vatom context use NAME; ${knownContexts(known)}`)
  return prompt.choose('Which context?', 'its name', Object.fromEntries(known.map((one) => [one, one])))
}
