import type { Client } from '../../client/client.ts'
import type { Kind } from '../../contract/kinds/kind.ts'
import { at, isObject } from '../../contract/schema/path.ts'
import { chainWrites, isCharged } from '../../contract/vatom/chain.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { ifFound } from './requests.ts'

/** What a template or variation has on a chain before and after a command: stored `eth` sections, or nothing. */
export interface ChainChange {
  readonly before: unknown
  readonly after: unknown
}

type Documents = readonly Pick<LoadedDocument, 'value'>[]

/** What creating documents changes on chains. */
export async function creationChanges(kind: Kind, documents: Documents, context: Context): Promise<ChainChange[]> {
  const own = documents.filter(({ value }) => isObject(value.eth))
  const templates = kind.parent === undefined ? new Map<unknown, unknown>() : await templateSections(own, context)
  const changes = own.map(({ value }) => creationChange(kind, value.eth, templates.get(value.template)))
  return (await Promise.all(changes)).flat()
}

/**
 * What a new record with its own `eth` section changes on a chain. A variation's section overrides that of its template,
 * and has no effect if the template has none. Spec 2.3, 2.5.
 */
export async function creationChange({ parent }: Kind, eth: unknown, templateEth: unknown): Promise<ChainChange[]> {
  if (!isObject(eth)) return []
  if (parent === undefined) return [{ before: undefined, after: eth }]
  if (!isObject(templateEth)) return []
  const { resolveChain } = await import('../../contract/vatom/overlay.ts')
  return [{ before: undefined, after: resolveChain(templateEth, eth) }]
}

/** The `eth` sections of variations' templates by name; undefined for a template that does not exist. */
async function templateSections(variations: Documents, context: Context): Promise<Map<unknown, unknown>> {
  const sections = new Map<unknown, unknown>()
  if (variations.length === 0) return sections
  const { client } = await context.connect()
  for (const name of new Set(variations.map(({ value }) => String(value.template))))
    sections.set(name, (await ifFound(client.getTemplate({ name })))?.properties.eth)
  return sections
}

/** The chain writes of changes: charged on mainnet, free elsewhere. Spec 2.3. */
export const chainWritesOf = (changes: readonly Partial<ChainChange>[]) => {
  const writes = (wanted: boolean) =>
    changes
      .filter(({ after }) => isCharged(after) === wanted)
      .flatMap(({ before, after }) => chainWrites(before, after))
  return { charged: writes(true), free: writes(false) }
}

/** What a new section of a template changes for its variations that have their own section. Spec 2.5. */
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
