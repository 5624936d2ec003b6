import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { local } from './local.ts'

/** A user of the service. */
export interface Person {
  readonly id: string
  /** The address that they sign in with by default; empty for none. */
  readonly token: string
  readonly name: string
  readonly pub_fqdn: string
  readonly is_admin: boolean
  readonly is_merchant: boolean
  readonly activated: boolean
  /** How many vAtoms they own. */
  readonly vatoms: number
}

/** The users that a page of the list has at most. */
export const mostPeople = 1000

/** The users of the service; undefined until they are loaded. */
export const people = signal<readonly Person[] | undefined>(undefined)

/** Loads the users anew. Throws `LocalFailure`. */
export async function loadPeople(): Promise<void> {
  people.value = await local<Person[]>('GET', `/__vatom/users?limit=${mostPeople}`)
}

/** Loads the users for a screen that names some of them, if no other has loaded them; without them, it shows ids. */
export function usePeople(): void {
  useEffect(() => {
    if (!people.value) void loadPeople().catch(() => {})
  }, [])
}

/** A user to be made; without an e-mail address, with one of example.com. */
interface NewPerson {
  readonly email: string
  readonly is_merchant: boolean
}

/** Makes a user; answers the id. Throws `LocalFailure`. */
export async function makePerson({ email, is_merchant }: NewPerson): Promise<string> {
  const { user } = await local<{ user: { id: string } }>('POST', '/__vatom/users', {
    is_merchant,
    ...(email !== '' && { user_tokens: [{ token_type: 'email', token: email }] }),
  })
  await loadPeople()
  return user.id
}

/** How a user is called, by an id. */
export function nameOf(id: string): string {
  const person = people.value?.find((one) => one.id === id)
  return person?.token || person?.name || `user ${id.slice(0, 8)}`
}
