import type { Client } from '../../../client/client.ts'
import { at } from '../../../contract/schema/path.ts'

/** Whether the caller can change the actions of a template. */
export async function isOwn(client: Client, template: string): Promise<boolean> {
  const publisher = await publisherOf(client)
  return publisher !== undefined && template.startsWith(`${publisher}::`)
}

/** The publisher of which the caller is an administrator; undefined for none. */
export async function publisherOf(client: Client): Promise<string | undefined> {
  const profile = at(await client.getProfile({}).catch(() => undefined), 'system_properties')
  return at(profile, 'is_admin') === true ? String(at(profile, 'pub_fqdn')) : undefined
}
