import type { Client } from '../../client/client.ts'
import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import { vatomTypeKey } from '../../contract/values.ts'
import type { Element } from '../discover/query.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { seeList } from '../failure/hinted.ts'
import { isBeginning, meantId } from '../kinds/short-id.ts'
import { inParallel } from '../service/in-parallel.ts'

/** How the help of commands describes an id. */
export const idHelp = "the vAtom's id, or its beginning"
/** The same where several can be given. */
export const idsHelp = `${idHelp}; or several; - stands for the ids on standard input`

/** VAtoms that are listed where an id is not clear. */
const listed = 10

/**
 * The ids that are meant, each once: the beginning of an id stands for the only vAtom that has it, of those that the user
 * may see. What no vAtom begins with stays as it is.
 */
export const vatomIds = async (given: readonly string[], client: Client): Promise<string[]> => [
  ...new Set(await inParallel(given, async (one) => (await begunId(one, client)) ?? one)),
]

/** Ids in as few lists as requests can take. */
export const idLists = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / limits.ids) }, (_, at) =>
    ids.slice(at * limits.ids, (at + 1) * limits.ids),
  )

/** The id that is meant. Throws a failure for a beginning that no vAtom has which the user may see. */
export async function vatomId(given: string, client: Client): Promise<string> {
  const id = await begunId(given, client)
  if (id !== undefined) return id
  throw new Failure('unknown_vatom', exit.refused, `No vAtom that you can see has an id that begins with ${given}`, {
    hint: `${seeList('inventory')}; one that you cannot see has to be given with its whole id`,
  })
}

/** The id that is meant by its beginning, or is given whole; undefined where no vAtom that the user may see begins so. */
async function begunId(given: string, client: Client): Promise<string | undefined> {
  if (/^[\da-f]{1,3}$/i.test(given)) throw usage(`${given} is too short`, 'give at least 4 characters of the id')
  if (!isBeginning(given)) return given
  const found = await beginningWith(given.toLowerCase(), client)
  if (found.length > 1) throw ambiguous(given, found)
  const [vatom] = found
  return vatom && String(vatom.id)
}

/** Ids are compared as text, in which `g` comes after every character of an id. */
const beginsWith = (field: string, text: string): Element[] => [
  { field, filter_op: 'Ge', value: text, bool_op: 'And' },
  { field, filter_op: 'Lt', value: `${text}g`, bool_op: 'And' },
]

async function beginningWith(text: string, client: Client) {
  const { results } = await client.discover({
    body: { filters: [{ filter_elems: beginsWith('id', text) }], limit: listed, return: { type: '*' } },
  })
  return results.filter(({ id }) => String(id).startsWith(text))
}

/**
 * The id of a user that begins with a text, of those in a field of the vAtoms that the caller may see; undefined where none
 * does. Throws where there are two: the field of a vAtom is read, and then that of one with another user.
 */
export async function userIdIn(field: string, given: string, client: Client): Promise<string | undefined> {
  const text = given.toLowerCase()
  const key = `${vatomTypeKey}.${field}`
  const next = async (...others: Element[]): Promise<string[]> => {
    const filter_elems = [...beginsWith(key, text), ...others]
    const { results } = await client.discover({
      body: { filters: [{ filter_elems }], limit: 1, return: { type: '*' } },
    })
    return results.map((vatom) => String(at(vatom, vatomTypeKey, field))).filter((id) => id.startsWith(text))
  }
  const [id] = await next()
  if (id === undefined) return undefined
  return meantId(given, 'users', [id, ...(await next({ field: key, filter_op: 'Ne', value: id, bool_op: 'And' }))])
}

const ambiguous = (given: string, found: readonly Readonly<Record<string, unknown>>[]) =>
  new Failure('ambiguous_id', exit.usage, `The ids of several vAtoms begin with ${given}`, {
    hint: 'give more characters of the id',
    issues: found.map((vatom) => ({
      path: String(vatom.id),
      message: String(at(vatom, vatomTypeKey, 'title') || at(vatom, vatomTypeKey, 'template_variation')),
    })),
  })
