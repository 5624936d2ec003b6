import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { gateCharges } from '../../gate.ts'
import { confirmName, refusePublished, showFinal } from '../../publish.ts'
import { fullName } from '../../publisher.ts'
import { variationDocument } from '../../record.ts'

interface PublishOptions {
  readonly confirm?: string
  readonly acceptCharges?: boolean
}

export const publishCommand = (context: Context, run = publish): Command =>
  new Command('publish')
    .summary('publish a draft variation: final')
    .description('Publish a draft variation of a published template. It can be neither changed nor deleted afterwards.')
    .argument('<name>', "the variation's name")
    .option('--confirm <name>', 'the name again, instead of typing it')
    .option('--accept-charges', 'accept the chain writes of an eth section on mainnet')
    .action((name: string, options: PublishOptions) => run(name, options, context))

export async function publish(
  given: string,
  { confirm, acceptCharges }: PublishOptions,
  context: Context,
): Promise<void> {
  const name = await fullName(given, context)
  const { client, place } = await context.connect()
  const record = await client.getVariation({ name })
  refusePublished('variation', name, record)
  const { unpublished: _, ...final } = variationDocument(record)
  await showFinal(final, place, context)
  await gateCharges([final.eth], acceptCharges, context)
  await confirmName('variation', name, confirm === undefined ? undefined : await fullName(confirm, context), context)
  await context.announce()
  const payload = await client.updateVariation({ name, body: { unpublished: false } })
  context.output.result(payload, () => [`Published variation ${name} on ${place}; it is final now`])
}
