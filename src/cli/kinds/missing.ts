import type { Client } from '../../client/client.ts'
import type { Kind } from '../../contract/kinds/kind.ts'
import { template as templateKind } from '../../contract/kinds/template.ts'
import { seeList } from '../failure/hinted.ts'
import { allRecords, ifFound, readRecord } from './requests.ts'
import { listOf } from './verbs/list.ts'

/**
 * A hint for a name that no record has: the most similar name, or how to list names. Faces and actions are listed by
 * template, so their names are looked up in the template that the name begins with.
 */
export const missingRecord = (client: Client, kind: Kind, name: string) => async (): Promise<string> => {
  const template = kind.listed === undefined ? kind.templateOf({ [kind.nameKey]: name }) : undefined
  const { suggest } = await import('../../contract/schema/suggest.ts')
  // The failure that this hint belongs to is reported; a failure to list names is not.
  const names = await namesOf(client, kind, template).catch(() => undefined)
  if (names === undefined && (await isOfNoPublisher(client)))
    return `only administrators of a publisher can list its ${kind.name}s: ask them for the name`
  const found = nearest(name, names ?? [], suggest)
  return found === undefined ? seeList(listOf(kind, template)) : `did you mean ${found}?`
}

/** A hint for a document whose template does not exist: what creates it; none for one that lacks something else. */
export const templateFirst = (client: Client, template: string | undefined) => async () => {
  const isThere = await ifFound(readRecord(client, templateKind, template ?? '')).catch(() => true)
  if (isThere) return undefined
  return `first create the records that the document names: vatom template create FILE; or all of a catalog at once: vatom apply FOLDER`
}

/** Whether the service says that who is signed in is the administrator of no publisher. */
const isOfNoPublisher = (client: Client): Promise<boolean> =>
  client.getProfile({}).then(
    (profile) => !profile.system_properties.pub_fqdn,
    () => false,
  )

async function namesOf(client: Client, kind: Kind, template: string | undefined): Promise<string[]> {
  if (kind.listed === undefined && template === undefined) return []
  const query = kind.listed === undefined ? { template } : { fields: 'name' }
  const records = await allRecords(client, kind, query)
  return records.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
}

type Suggest = (word: string, candidates: readonly string[]) => string | undefined

/**
 * A name that ends with the missing one; or else one with as many parts, all of them similar, that differs in the
 * fewest; or else one that contains it, or a part like it.
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
  const having = (part: string | undefined) =>
    newest(names.filter((candidate) => `${candidate}::`.includes(`::${part}::`)))
  const similar = () => suggest(name, [...new Set(names.flatMap((candidate) => candidate.split('::').slice(1)))])
  return ending ?? near[0]?.candidate ?? having(name) ?? having(similar())
}

/** The last name of several versions: `…::v10` comes after `…::v9`. */
const newest = (names: readonly string[]) =>
  names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
