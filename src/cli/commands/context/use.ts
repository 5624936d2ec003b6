import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import { contextNames, localName } from '../../service/target.ts'

export const useCommand = (context: Context, run = use): Command =>
  new Command('use')
    .summary('make a context current')
    .description('Make a context current: later commands talk to it.')
    .argument('<name>', 'a context, or local')
    .action((name: string) => run(name, context))

export async function use(name: string, { config, output }: Context): Promise<void> {
  const known = await config.read()
  if (!contextNames(known).includes(name))
    throw usage(`There is no context named ${name}`, `known contexts: ${contextNames(known).join(', ')}`)
  const { current: _, ...rest } = known
  await config.write(name === localName ? rest : { ...rest, current: name })
  output.result({ current: name }, () => [`Now using ${name}.`])
}
