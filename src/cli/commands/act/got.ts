import type { Client } from '../../../client/client.ts'
import { listAt } from '../../../contract/schema/path.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import { parseJson } from '../../../contract/unknown-values.ts'
import { titleOf } from '../../vatoms/vatom-table.ts'

/** VAtoms that a sentence names. */
const named = 3

/**
 * The vAtoms that the output of an action names by their ids, as the end of a sentence: `; you got Latte 3a7e…`. Without
 * titles where they cannot be read: the action was performed in any case. Empty where it names none.
 */
export async function gotText(printed: string, client: Client): Promise<string> {
  const ids = listAt(parseJson(printed), 'ids').map(String)
  if (ids.length === 0) return ''
  const titles = await titlesOf(ids.slice(0, named), client).catch(() => new Map<string, string>())
  const names = ids.map((id) => [titles.get(id), id].filter(Boolean).join(' '))
  return `; you got ${nameList(names, named)}`
}

async function titlesOf(ids: readonly string[], client: Client): Promise<ReadonlyMap<string, string>> {
  const { vatoms } = await client.getVatoms({ body: { ids: [...ids] } })
  return new Map(vatoms.map((vatom) => [String(vatom.id), titleOf(vatom)]))
}
