import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { publishCommandFor } from '../../documents/publish.ts'
import { variationDocument } from '../../documents/record.ts'
import { hinted, seeList } from '../../failure/hinted.ts'

export const publishCommand = (context: Context): Command =>
  publishCommandFor(
    {
      kind: 'variation',
      read: async (client, name) =>
        variationDocument(await hinted(client.getVariation({ name }), { notFound: seeList('variation list') })),
      publish: (client, name) => client.updateVariation({ name, body: { unpublished: false } }),
    },
    context,
  ).description('Publish a draft variation of a published template. It can be neither changed nor deleted afterwards.')
