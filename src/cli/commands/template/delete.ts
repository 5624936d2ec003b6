import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { declined } from '../../documents/gate.ts'
import { fullName } from '../../service/publisher.ts'

export const deleteCommand = (context: Context, run = remove): Command =>
  new Command('delete')
    .summary('delete a draft template')
    .description('Delete a draft template and its faces. A published template stays.')
    .argument('<name>', "the template's name")
    .option('--yes', 'do not ask')
    .action((name: string, options: { yes?: boolean }) => run(name, options, context))

export async function remove(given: string, { yes }: { yes?: boolean }, context: Context): Promise<void> {
  const name = await fullName(given, context)
  if (!(await context.prompt.confirm(`Delete template ${name}?`, '--yes', yes))) throw declined()
  await context.announce()
  const { client, place } = await context.connect()
  const payload = await client.deleteTemplate({ name })
  context.output.result(payload, () => [`Deleted template ${name} on ${place}`])
}
