import type { Client } from '../../../client/client.ts'
import { unlessRefused } from '../../../client/errors.ts'
import { shellWord } from '../../io/text.ts'

/** The command that verifies the only address of the user which is not verified; undefined where it is not the only one. */
export const verifyHint = (client: Client) => async (): Promise<string | undefined> => {
  const tokens = (await client.listUserTokens({}).catch(unlessRefused)) ?? []
  const [first, ...others] = tokens.filter(({ properties }) => !properties.confirmed)
  if (first === undefined || others.length > 0) return undefined
  return `with the code that was sent to it: vatom user token verify ${shellWord(first.properties.token)}`
}
