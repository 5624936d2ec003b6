import type { Client } from '../../../client/client.ts'
import { at } from '../../../contract/schema/path.ts'

/** Whether the caller can change the actions of a template. */
export async function isOwn(client: Client, template: string): Promise<boolean> {
  const profile = await client.getProfile({}).catch(() => undefined)
  const publisher = at(profile, 'system_properties', 'pub_fqdn')
  return at(profile, 'system_properties', 'is_admin') === true && template.startsWith(`${publisher}::`)
}
