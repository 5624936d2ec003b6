import type { ConsoleRequest } from '../../../contract/console.ts'
import { unreadAction } from '../../../contract/rules/offered-actions.ts'
import { at } from '../../../contract/schema/path.ts'
import { parseJson } from '../../../contract/unknown-values.ts'
import { apiAs } from '../service/api.ts'
import { currentSession } from '../service/session.ts'
import { foundIn } from '../vatom/found.ts'
import { divided, readablePath } from './filter.ts'

/** Whether a request deletes, or performs an action that cannot be taken back. */
export async function isFinal(request: ConsoleRequest): Promise<boolean> {
  if (request.dry_run) return false
  return request.operation === 'performAction' ? performsFinal(request) : request.method === 'DELETE'
}

/** Goes by the name of the action where its user no longer sees the vAtom. */
async function performsFinal({ path, sent, user }: ConsoleRequest): Promise<boolean> {
  const called = divided(readablePath(path))[0].split('/').at(-1) ?? ''
  const id = at(parseJson(sent?.text ?? ''), 'this.id')
  const { app_id, publisher } = currentSession()
  const { client } = apiAs(user ?? publisher.id, app_id)
  const page = await client.getVatoms({ body: { ids: [String(id)] } })
  const offered = foundIn(page).flatMap(({ actions }) => actions)
  return (offered.find(({ name }) => name === called) ?? unreadAction(called)).isFinal
}
