import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import { contextNames } from '../../service/target.ts'

export const useCommand = (context: Context): Command =>
  new Command('use')
    .summary('make a context current')
    .description('Make a context current: later commands talk to it.')
    .argument('<name>', 'a context, or local')
    .addHelpText('after', '\nExamples:\n  vatom context use staging\n  vatom context use local')
    .action((name: string) => use(name, context))

async function use(name: string, { config, output }: Context): Promise<void> {
  const known = contextNames(await config.read())
  if (!known.includes(name)) throw usage(`There is no context named ${name}`, `known contexts: ${known.join(', ')}`)
  await config.update((now) => ({ ...now, current: name }))
  output.result({ current: name }, () => [`Now using ${name}.`])
}
