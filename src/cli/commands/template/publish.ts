import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { hinted } from '../../failure/hinted.ts'
import { missingTemplate } from '../../failure/missing.ts'
import { publishCommandFor } from '../../kinds/publish.ts'
import { templateDocument } from '../../kinds/record.ts'

export const publishCommand = (context: Context): Command =>
  publishCommandFor(
    {
      kind: 'template',
      read: async (client, name) =>
        templateDocument(await hinted(client.getTemplate({ name }), { notFound: missingTemplate(client, name) })),
      related: async (client, name) => {
        const { storedFaces, storedMember } = await import('../../kinds/publish-checks.ts')
        const document = templateDocument(await client.getTemplate({ name }))
        return [storedMember('template', name, name, document), ...(await storedFaces(client, name))]
      },
      publish: (client, name) => client.updateTemplate({ name, body: { unpublished: false } }),
    },
    context,
  ).description('Publish a draft template. It can be neither changed nor deleted afterwards; its faces can.')
