import { isUnpredicted } from '../../../client/errors.ts'
import { rawError } from '../../../client/raw.ts'
import { type Warning, warningsIn } from '../../../contract/api/warnings.ts'
import { apiAs } from './api.ts'
import { currentSession } from './session.ts'

/** Performs an action on a vAtom as a user; answers its output. Throws what the client throws, and what the action failed with. */
export async function perform(user: string, action: string, id: string, inputs: object = {}): Promise<string> {
  const { client } = apiAs(user, currentSession().app_id)
  const { main } = await client.performAction({ action, body: { ...inputs, 'this.id': id } })
  if (main.error) throw new Error(`${action} failed: ${main.error.Msg} (code ${main.error.Code})`)
  return main.output
}

/** What the service would warn of if an action were performed. Throws what it would refuse it with, as far as that is known. */
export async function predict(
  user: string,
  action: string,
  id: string,
  inputs: object = {},
): Promise<readonly Warning[]> {
  const { dryRun } = apiAs(user, currentSession().app_id)
  const path = `/v1/user/vatom/action/${encodeURIComponent(action)}`
  const answer = await dryRun({ method: 'POST', path, body: JSON.stringify({ ...inputs, 'this.id': id }) })
  const error = rawError(answer)
  if (error && !isUnpredicted(error)) throw error
  return warningsIn(answer.headers['vatom-warning'])
}
