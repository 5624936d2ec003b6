import type { Client } from '../../client/client.ts'
import type { Kind } from '../../contract/kinds/kind.ts'
import { at, isObject } from '../../contract/schema/path.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { ifThere } from '../service/reads.ts'

/** What a template or variation has on a chain before and after a command: stored `eth` sections, or nothing. */
export interface ChainChange {
  readonly before: unknown
  readonly after: unknown
}

type Documents = readonly Pick<LoadedDocument, 'value'>[]

/** What creating documents changes on chains. A variation without a section of its own has no contract. Spec 2.3, 2.5. */
export async function creationChanges(kind: Kind, documents: Documents, context: Context): Promise<ChainChange[]> {
  const own = documents.filter(({ value }) => isObject(value.eth))
  if (own.length === 0) return []
  const created = kind.parent === undefined ? own.map(({ value }) => value.eth) : await resolvedSections(own, context)
  return created.map((after) => ({ before: undefined, after }))
}

/** The sections of variations over those of their templates; one without a template to stand on is left out. */
async function resolvedSections(variations: Documents, context: Context): Promise<unknown[]> {
  const { client } = await context.connect()
  const { resolveChain } = await import('../../contract/vatom/overlay.ts')
  const names = [...new Set(variations.map(({ value }) => String(value.template)))]
  const bases = new Map<unknown, unknown>()
  for (const name of names) bases.set(name, (await ifThere(client.getTemplate({ name })))?.properties.eth)
  return variations.flatMap(({ value: { template, eth } }) => {
    const base = bases.get(template)
    return isObject(base) && isObject(eth) ? [resolveChain(base, eth)] : []
  })
}

/** What a new section of a template changes besides its own: variations with a section of their own follow. Spec 2.5. */
export async function followingChanges(client: Client, template: string, eth: unknown): Promise<ChainChange[]> {
  if (!isObject(eth)) return []
  const { resolveChain } = await import('../../contract/vatom/overlay.ts')
  const { everyPage } = await import('../service/every-page.ts')
  const fields = 'name,properties(overrides(eth),template_variation(eth))'
  const variations = await everyPage(
    (paging) => client.listVariations({ query: { template, fields, ...paging } }),
    ({ name }) => name,
  )
  return variations.flatMap((variation) => {
    const own = at(variation, 'properties', 'overrides', 'eth')
    const before = at(variation, 'properties', 'template_variation', 'eth')
    return isObject(own) ? [{ before, after: resolveChain(eth, own) }] : []
  })
}
