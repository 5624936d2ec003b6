import type { Client } from '../../client/client.ts'
import { everyPage } from '../service/every-page.ts'
import type { Hint } from './hinted.ts'
import { seeList } from './hinted.ts'

/** What the name of a template that is not there was meant to be, else how to see those there are. */
export const missingTemplate = (client: Client, name: string): Hint =>
  meant(name, 'template list', () => named((paging) => client.listTemplates({ query: { fields: 'name', ...paging } })))

/** The same for a variation. */
export const missingVariation = (client: Client, name: string): Hint =>
  meant(name, 'variation list', () =>
    named((paging) => client.listVariations({ query: { fields: 'name', ...paging } })),
  )

/** The same for an action, whose name begins with that of its template. */
export function missingAction(client: Client, name: string): Hint {
  const end = name.indexOf('::Action::')
  const template = end < 0 ? undefined : name.slice(0, end)
  return meant(name, `action list ${template ?? 'TEMPLATE'}`, async () =>
    template === undefined ? [] : named((paging) => client.listActions({ query: { template, ...paging } })),
  )
}

type Paging = Parameters<Parameters<typeof everyPage>[0]>[0]

async function named(ask: (paging: Paging) => Promise<readonly { readonly name?: string | undefined }[]>) {
  const records = await everyPage(ask, ({ name }) => name)
  return records.flatMap(({ name }) => (name === undefined ? [] : [name]))
}

/** Names that cannot be listed are no failure of their own: what failed is told already. */
const meant =
  (name: string, list: string, names: () => Promise<readonly string[]>): Hint =>
  async () => {
    const found = nearest(
      name,
      await names().catch(() => []),
      (await import('../../contract/schema/suggest.ts')).suggest,
    )
    return found === undefined ? seeList(list) : `did you mean ${found}?`
  }

type Suggest = (word: string, candidates: readonly string[]) => string | undefined

/**
 * The name that has what is missing at its end, or the one that differs from it in the fewest parts, each of them near;
 * else one that has it among its parts.
 */
function nearest(name: string, names: readonly string[], suggest: Suggest): string | undefined {
  const parts = name.split('::')
  const near = names.flatMap((candidate) => {
    const others = candidate.split('::')
    const differing = parts.filter((part, index) => part !== others[index])
    const isNear = parts.every((part, index) => part === others[index] || suggest(part, others.slice(index, index + 1)))
    return others.length === parts.length && differing.length > 0 && isNear ? [{ candidate, differing }] : []
  })
  near.sort((a, b) => a.differing.length - b.differing.length)
  const ending = names.find((candidate) => candidate.endsWith(`::${name}`))
  return ending ?? near[0]?.candidate ?? names.find((candidate) => candidate.includes(`::${name}::`))
}
