import type { Client } from '../../client/client.ts'
import { unlessRefused } from '../../client/errors.ts'
import type { Changes } from '../../contract/kinds/changes.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import { comparable } from '../../contract/kinds/template.ts'
import { at, isSame } from '../../contract/schema/path.ts'
import type { KindName } from '../../contract/values.ts'
import { completeEth, type Section, sectionOf, textPrices, typedEth } from '../../contract/vatom/complete.ts'
import { resolveChain, resolveVatom } from '../../contract/vatom/overlay.ts'
import { allRecords, isDraft } from './requests.ts'

/** A draft as the service has it, and what a document changes in it. */
export interface ChangedDraft {
  readonly kind: KindName
  readonly stored: Section
  readonly changes: Pick<Changes, 'body'>
}

/** A draft variation of a template that changes: its record, and its document as it is meant to be. */
export interface Variation {
  readonly stored: Section
  readonly value: Section
}

/** The sections of which vAtoms are made. */
const sections = ['vatom', 'eth', 'eos']

/** How many vAtoms change with a draft: those of a variation, or of those variations of a template that the change reaches. */
export async function followersOf(
  { kind, stored, changes }: ChangedDraft,
  variations: () => Promise<readonly Variation[]>,
): Promise<number> {
  if (!sections.some((section) => section in changes.body)) return 0
  if (kindOf(kind).parent !== undefined) return emittedFrom(stored)
  const isReached = reaching({ stored, changes })
  const followed = (await variations()).filter(({ value }) => isReached(value))
  return followed.reduce((sum, one) => sum + emittedFrom(one.stored), 0)
}

/** The same of the variations that a service lists, for which it is one list more; undefined where it refuses that. */
export const followersOnService = (client: Client, changed: ChangedDraft): Promise<number | undefined> =>
  followersOf(changed, async () => {
    const { documentOf } = kindOf('variation')
    const query = { template: String(changed.stored.name), fields: 'name,properties(unpublished,num_vatoms,overrides)' }
    const listed = await allRecords(client, kindOf('variation'), query)
    return listed.filter(isDraft).map((stored) => ({ stored, value: documentOf(stored) }))
  }).catch(unlessRefused)

/** Whether the change of a template changes the vAtoms of a variation, which may overwrite all of it. Spec 2.5. */
function reaching({ stored, changes }: Omit<ChangedDraft, 'kind'>): (variation: Section) => boolean {
  const before = kindOf('template').documentOf(stored)
  const publisher = String(at(stored, 'properties', 'publisher_fqdn'))
  const designs = [before, { ...before, ...changes.body }].map((template) => designsOver(template, publisher))
  return (variation) => {
    const [was, is] = designs.map((designOf) => designOf(variation))
    return !isSame(was, is)
  }
}

/** What vAtoms are made of: the sections of a variation resolved over those of a template. */
function designsOver(template: Section, publisher: string): (variation: Section) => Section {
  const vatom = comparable(sectionOf(template.vatom))
  const eth = completeEth(sectionOf(template.eth), publisher)
  const eos = typedEth(sectionOf(template.eos))
  return (variation) => ({
    vatom: textPrices(resolveVatom(vatom, sectionOf(variation.vatom))),
    eth: resolveChain(eth, typedEth(sectionOf(variation.eth))),
    eos: resolveChain(eos, typedEth(sectionOf(variation.eos))),
  })
}

const emittedFrom = (stored: Section): number => Number(at(stored, 'properties', 'num_vatoms') ?? 0)
