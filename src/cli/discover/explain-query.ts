import type { Client } from '../../client/client.ts'
import type { Discover } from '../../contract/api/discover.ts'
import type { Context } from '../context.ts'
import { tableLines } from '../io/table.ts'
import { styled } from '../io/text.ts'
import { type Element, signOf } from './query.ts'

/** A part of a query that can be counted by itself. */
interface Part {
  readonly element: string
  readonly query: Discover
}

/**
 * Shows how a query is evaluated, and on the local context how many vAtoms each of its elements finds by itself;
 * other services would need a request for each. Spec 4.4.
 */
export async function explainQuery(query: Discover, { connect, target, output }: Context): Promise<void> {
  const { client } = await connect()
  const isLocal = (await target()).kind === 'local'
  const elements: { element: string; hits: number | null }[] = []
  for (const { element, query: alone } of partsOf(query))
    elements.push({ element, hits: isLocal ? await countOf(client, alone) : null })
  const count = await countOf(client, query)
  const expression = expressionOf(query)
  output.result({ query, expression, elements, count }, () => [
    styled`${expression}`,
    ...tableLines(
      ['HITS', 'ELEMENT'],
      [
        ...elements.map(({ element, hits }) => [hits === null ? '' : String(hits), element]),
        [String(count), 'all together'],
      ],
      output,
    ),
  ])
  if (!isLocal) output.note('Hits of each element are counted on the local context only.')
}

const countOf = async (client: Client, { scope, filters }: Discover): Promise<number> =>
  (await client.discover({ body: { ...(scope && { scope }), ...(filters && { filters }), return: { type: 'count' } } }))
    .count

const partsOf = ({ scope, filters }: Discover): Part[] => [
  ...(scope ? [{ element: scopeText(scope), query: { scope } }] : []),
  ...(filters ?? []).flatMap(({ filter_elems }) =>
    filter_elems.map((one) => ({ element: elementText(one), query: { filters: [{ filter_elems: [one] }] } })),
  ),
]

const scopeText = ({ key, value }: NonNullable<Discover['scope']>) => `${key} is one of ${value}`
const elementText = ({ field, filter_op, value }: Element) => `${field} ${signOf(filter_op)} ${JSON.stringify(value)}`

/** The query as one expression: groups and the scope are joined by And, elements of a group from left to right. */
function expressionOf({ scope, filters }: Discover): string {
  const groups = (filters ?? []).filter(({ filter_elems }) => filter_elems.length > 0)
  const parts = [...(scope ? [scopeText(scope)] : []), ...groups.map(({ filter_elems }) => groupText(filter_elems))]
  if (parts.length === 0) return 'everything that you can see'
  return parts.length === 1 ? String(parts[0]) : parts.map((part) => `(${part})`).join(' And ')
}

function groupText([first, ...rest]: readonly Element[]): string {
  if (first === undefined) return ''
  let text = elementText(first)
  let before = first
  for (const element of rest) {
    text = `${before === first ? text : `(${text})`} ${before.bool_op ?? 'And'} ${elementText(element)}`
    before = element
  }
  return text
}
