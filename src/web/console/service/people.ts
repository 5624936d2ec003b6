import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { guestTokenType } from '../../../contract/values.ts'
import { local } from './local.ts'

/** A user of the service. */
export interface Person {
  readonly id: string
  /** The address that they sign in with by default, or which guest they are; empty for none. */
  readonly token: string
  readonly token_type: string
  readonly name: string
  readonly pub_fqdn: string
  readonly is_admin: boolean
  readonly is_merchant: boolean
  readonly activated: boolean
  /** Whether the service was started with them. */
  readonly seeded: boolean
  /** How many vAtoms they own. */
  readonly vatoms: number
}

/** The users that are offered where one is chosen. */
const mostPeople = 1000

/** Seeded users and the newest; undefined until they are loaded. */
export const people = signal<readonly Person[] | undefined>(undefined)

/** Loads the users anew. Throws `LocalFailure`. */
export async function loadPeople(): Promise<void> {
  people.value = await peoplePage({ limit: mostPeople, page: 1 })
}

/** Users beyond those, as far as they were seen. */
const others = signal<ReadonlyMap<string, Person>>(new Map())
const soughtIds = new Set<string>()

/** Which users are listed: those that fit a search, a page of them. */
interface PeopleQuery {
  readonly search?: string
  readonly limit: number
  readonly page: number
}

/** A page of users, from 1. Throws `LocalFailure`. */
export async function peoplePage({ search = '', limit, page }: PeopleQuery): Promise<Person[]> {
  const query = new URLSearchParams({ search, limit: String(limit), page: String(page) })
  const found = (await local<Person[]>('GET', `/__vatom/users?${query}`)).map(withoutGuestId)
  others.value = new Map([...others.value, ...found.map((one) => [one.id, one] as const)])
  return found
}

/** The id of a guest is as good as a password: whoever sees the screen could sign in with it. */
const withoutGuestId = (person: Person): Person =>
  person.token_type === guestTokenType ? { ...person, token: `guest ${beginningOf(person.id)}` } : person

const beginningOf = (id: string): string => id.slice(0, 8)

/** How many users fit a search. Throws `LocalFailure`. */
export async function countPeople(search: string): Promise<number> {
  const { count } = await local<{ count: number }>('GET', `/__vatom/users/count?${new URLSearchParams({ search })}`)
  return count
}

/** A user by an id, who is looked for once; undefined until they are found. */
function personWith(id: string): Person | undefined {
  const known = people.value?.find((one) => one.id === id) ?? others.value.get(id)
  if (!known && people.value && !soughtIds.has(id)) {
    soughtIds.add(id)
    void peoplePage({ search: id, limit: 1, page: 1 }).catch(() => soughtIds.delete(id))
  }
  return known
}

/** Loads the users anew; without them, ids are shown. */
export const readPeople = (): void => void loadPeople().catch(() => {})

/** Loads the users for a screen that names some of them, if no other has loaded them. */
export function usePeople(): void {
  useEffect(() => {
    if (!people.value) readPeople()
  }, [])
}

/** A user to be made; without an e-mail address, with one of example.com. */
interface NewPerson {
  readonly email: string
  readonly is_merchant: boolean
}

/** A user who was made, and what an app signs in with. */
export interface MadePerson {
  readonly user: { readonly id: string }
  /** An e-mail address. */
  readonly token: string
  readonly password: string
  readonly refresh_token: string
}

/** Makes a user, who is signed in. Throws `LocalFailure`. */
export async function makePerson({ email, is_merchant }: NewPerson): Promise<MadePerson> {
  const made = await local<MadePerson>('POST', '/__vatom/users', {
    is_merchant,
    ...(email !== '' && { user_tokens: [{ token_type: 'email', token: email }] }),
  })
  await loadPeople()
  return made
}

/** The users that the service was started with, which come first of all. Throws `LocalFailure`. */
export const seededPeople = async (): Promise<Person[]> =>
  (await peoplePage({ limit: 100, page: 1 })).filter(({ seeded }) => seeded)

/** How a user is called, by an id. */
export function nameOf(id: string): string {
  const person = personWith(id)
  return person?.token || person?.name || `user ${beginningOf(id)}`
}
