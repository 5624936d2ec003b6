import type { Client } from '../../../client/client.ts'
import type { Permit } from '../../../contract/kinds/standard-actions.ts'
import { template as templateKind } from '../../../contract/kinds/template.ts'
import { variation as variationKind } from '../../../contract/kinds/variation.ts'
import type { OfferedAction } from '../../../contract/rules/offered-actions.ts'
import { at } from '../../../contract/schema/path.ts'
import { vatomTypeKey } from '../../../contract/values.ts'
import type { Hint } from '../../failure/hinted.ts'
import { readRecord } from '../../kinds/requests.ts'

/** What the document of a name has to say, so that an action is permitted. */
const hasToSay = (kind: 'template' | 'variation', property: string, name: unknown): string =>
  `its ${kind} has to say ${property}: true: ${name}`

/** Names what has to permit a standard action, where that is why it is refused. Spec 2.2, 2.4. */
export const permitHint =
  (client: Client, id: string, offered: () => Promise<OfferedAction>): Hint =>
  async () => {
    const { permit, opens } = (await offered()).standard ?? {}
    const missing = permit ? forbiddenBy(client, id, permit) : opens && closedBy(client, id, opens)
    return missing?.catch(() => undefined)
  }

async function closedBy(client: Client, id: string, opens: readonly string[]): Promise<string | undefined> {
  const { [vatomTypeKey]: builtIn } = await client.getVatom({ id })
  const name = String(builtIn.template_variation)
  const document = variationKind.documentOf(await readRecord(client, variationKind, name))
  const closed = opens.filter((field) => at(document, field) !== true)
  return closed.length === 0 ? undefined : hasToSay('variation', closed.join(': true and '), name)
}

async function forbiddenBy(client: Client, id: string, permit: Permit): Promise<string | undefined> {
  const vatom = await client.getVatom({ id })
  const { template, template_variation } = vatom[vatomTypeKey]
  const document = templateKind.documentOf(await readRecord(client, templateKind, String(template)))
  // What stands outside of the vatom section is the template's alone.
  if (at({ ...document, vatom }, ...permit.path) === true) return undefined
  const isTemplates = (at(document, ...permit.path) ?? permit.unset) !== true
  if (isTemplates) return hasToSay('template', permit.property, template)
  return permit.mayChange ? undefined : hasToSay('variation', permit.property, template_variation)
}

/**
 * Names the template that has to make its vAtoms redeemable; nothing for a vAtom of one that does, which was redeemed. Whoever
 * cannot read them, as a merchant may not, is told both. Spec 2.4.
 */
export const redeemableHint =
  (client: Client, id: string): Hint =>
  () =>
    unmadeRedeemable(client, id).catch(() => 'a vAtom is redeemed once, and only if its template says redeemable: true')

async function unmadeRedeemable(client: Client, id: string): Promise<string | undefined> {
  const { template, template_variation } = (await client.getVatom({ id }))[vatomTypeKey]
  const said = async (kind: typeof templateKind | typeof variationKind, name: unknown) =>
    at(kind.documentOf(await readRecord(client, kind, String(name))), 'vatom', vatomTypeKey, 'redeemable')
  const isMade = (await said(variationKind, template_variation)) ?? (await said(templateKind, template))
  return isMade === true ? undefined : hasToSay('template', 'redeemable', template)
}
