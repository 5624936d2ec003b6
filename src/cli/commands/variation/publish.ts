import type { Command } from 'commander'
import type { Client } from '../../../client/client.ts'
import { ServiceError } from '../../../client/errors.ts'
import { template as templateKind } from '../../../contract/kinds/template.ts'
import { resolvedDocument, variation } from '../../../contract/kinds/variation.ts'
import type { Member } from '../../../contract/rules/catalog.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { hinted } from '../../failure/hinted.ts'
import { missingVariation } from '../../failure/missing.ts'
import { publishCommandFor, publishFirst } from '../../kinds/publish.ts'

export const publishCommand = (context: Context): Command =>
  publishCommandFor(
    {
      kind: 'variation',
      read: async (client, name) =>
        resolvedDocument(await hinted(client.getVariation({ name }), { notFound: missingVariation(client, name) })),
      related: ownAndTemplate,
      check: refuseDraftTemplate,
      publish: (client, name) => client.updateVariation({ name, body: { unpublished: false } }),
    },
    context,
  ).description('Publish a draft variation of a published template. It can be neither changed nor deleted afterwards.')

/** The variation as it says itself, held against its template; nothing where the service tells no more than the result. */
async function ownAndTemplate(client: Client, name: string): Promise<Member[]> {
  const record = await client.getVariation({ name })
  const { overrides, template } = record.properties
  if (overrides === undefined) return []
  const { storedMember } = await import('../../kinds/publish-checks.ts')
  const base = templateKind.documentOf(await client.getTemplate({ name: template }))
  return [
    storedMember('variation', name, template, variation.documentOf(record)),
    storedMember('template', template, template, base),
  ]
}

/** Fails before anything is asked; of a template that cannot be read the service decides. Spec 3. */
async function refuseDraftTemplate(
  client: Client,
  name: string,
  { template }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const isDraft = await client.getTemplate({ name: String(template) }).then(
    ({ properties }) => properties.unpublished,
    (error: unknown) => {
      if (error instanceof ServiceError) return false
      throw error
    },
  )
  if (!isDraft) return
  throw new Failure('template_draft', exit.refused, `${template}, the template of ${name}, is still a draft`, {
    hint: publishFirst(String(template)),
  })
}
