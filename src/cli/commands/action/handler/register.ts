import { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { dryRunOption } from '../../../dry-run/option.ts'
import { would } from '../../../dry-run/would.ts'
import { hinted } from '../../../failure/hinted.ts'
import { shellWord } from '../../../io/text.ts'
import { checkValue } from '../../../kinds/load-checked.ts'

interface RegisterOptions {
  readonly reactor: string
  readonly url: string
}

export const registerCommand = (context: Context): Command =>
  new Command('register')
    .summary('register an address for the actions of a reactor')
    .description(
      'Register the HTTP address that performs the actions of your own reactor. The local service calls handlers on this machine, and on the hosts that you give to vatom serve --allow-handler-host. What they are sent and have to answer: vatom help reactors.',
    )
    .requiredOption('--reactor <reactor>', 'a reactor with your own scheme, such as acme://stamp')
    .requiredOption('--url <url>', 'the http:// or https:// address that receives the requests')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Example:
  vatom action handler register --reactor acme://stamp \\
    --url https://acme.example.com/stamp`,
    )
    .action((options: RegisterOptions) => register(options, context))

async function register({ reactor, url }: RegisterOptions, context: Context): Promise<void> {
  const { ActionHandler } = await import('../../../../contract/kinds/action-schemas.ts')
  const body = await checkValue(ActionHandler(), { reactor, url })
  await context.announce()
  const { client, place } = await context.connect()
  const again = `replace it: vatom action handler delete ${shellWord(body.reactor)}, then register it again`
  const registered = hinted(client.registerActionHandler({ body }), { nameTaken: again })
  const payload = await would(`register action handler ${body.reactor} on ${place}`, registered)
  context.output.report(payload, () => [`Registered action handler ${body.reactor} on ${place}`])
}
