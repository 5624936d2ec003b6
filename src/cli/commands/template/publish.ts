import type { Command } from 'commander'
import { template as templateKind } from '../../../contract/kinds/template.ts'
import type { Context } from '../../context.ts'
import { hinted } from '../../failure/hinted.ts'
import { missingTemplate } from '../../failure/missing.ts'
import { publishCommandFor } from '../../kinds/publish.ts'

export const publishCommand = (context: Context): Command =>
  publishCommandFor(
    {
      kind: 'template',
      read: async (client, name) =>
        templateKind.documentOf(
          await hinted(client.getTemplate({ name }), { notFound: missingTemplate(client, name) }),
        ),
      related: async (client, name) => {
        const { storedFaces, storedMember } = await import('../../kinds/publish-checks.ts')
        const document = templateKind.documentOf(await client.getTemplate({ name }))
        return [storedMember('template', name, name, document), ...(await storedFaces(client, name))]
      },
      publish: (client, name) => client.updateTemplate({ name, body: { unpublished: false } }),
    },
    context,
  ).description('Publish a draft template. It can be neither changed nor deleted afterwards; its faces can.')
