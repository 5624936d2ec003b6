import { apiAs } from './api.ts'
import { currentSession } from './session.ts'

/** Performs an action on a vAtom as a user; answers its output. Throws what the client throws, and what the action failed with. */
export async function perform(user: string, action: string, id: string, inputs: object = {}): Promise<string> {
  const { client } = apiAs(user, currentSession().app_id)
  const { main } = await client.performAction({ action, body: { ...inputs, 'this.id': id } })
  if (main.error) throw new Error(`${action} failed: ${main.error.Msg} (code ${main.error.Code})`)
  return main.output
}
