import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { gateCharges } from '../../gate.ts'
import { checkRecord, confirmName, refusePublished, showFinal } from '../../publish.ts'
import { fullName } from '../../publisher.ts'
import { templateDocument } from '../../record.ts'

interface PublishOptions {
  readonly confirm?: string
  readonly acceptCharges?: boolean
}

export const publishCommand = (context: Context, run = publish): Command =>
  new Command('publish')
    .summary('publish a draft template: final')
    .description('Publish a draft template. It can be neither changed nor deleted afterwards; its faces can.')
    .argument('<name>', "the template's name")
    .option('--confirm <name>', 'the name again, instead of typing it')
    .option('--accept-charges', 'accept the chain writes of an eth section on mainnet')
    .addHelpText('after', '\nExample:\n  vatom template publish acme::Coffee::v1 --confirm acme::Coffee::v1')
    .action((name: string, options: PublishOptions) => run(name, options, context))

export async function publish(
  given: string,
  { confirm, acceptCharges }: PublishOptions,
  context: Context,
): Promise<void> {
  const name = await fullName(given, context)
  const { client, place } = await context.connect()
  const record = await client.getTemplate({ name })
  refusePublished('template', name, record)
  const document = templateDocument(record)
  await checkRecord('template', document)
  const { unpublished: _, ...final } = document
  await showFinal(final, place, context)
  await gateCharges([document.eth], acceptCharges, context)
  await confirmName('template', name, confirm === undefined ? undefined : await fullName(confirm, context), context)
  await context.announce()
  const payload = await client.updateTemplate({ name, body: { unpublished: false } })
  context.output.result(payload, () => [`Published template ${name} on ${place}; it is final now`])
}
