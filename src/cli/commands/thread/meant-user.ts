import type { Client } from '../../../client/client.ts'
import { meantIds } from '../../kinds/short-id.ts'
import { checkUserId } from '../../service/user-ids.ts'
import { readActivity, threadPages } from './pages.ts'

/**
 * The id of the user who is meant by it or by its beginning: the caller, or the other user of one of their threads. Throws a
 * usage error for an address or a number.
 */
export async function meantUser(given: string, client: Client): Promise<string> {
  const [user = given] = await meantIds([given], 'users', () => knownUsers(client))
  // Digits alone are the beginning of an id, or a number.
  if (user === given) checkUserId(given)
  return user
}

async function knownUsers(client: Client): Promise<string[]> {
  const { id } = await client.getProfile({})
  const { entries } = await readActivity(threadPages(client), { all: true })
  return [id, ...entries.flatMap(({ name }) => name.split(':')[1] || [])]
}
