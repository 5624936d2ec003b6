import type { Context } from '../context.ts'
import { confirmed } from '../kinds/confirmations.ts'

/** Whether the session of a context began as that of a new guest, who has no password and may have no address. */
export const isGuest = async (name: string, { credentials }: Pick<Context, 'credentials'>): Promise<boolean> =>
  (await credentials.read())[name]?.guest === true

/** What becomes of the guest of a context without a session. */
export const guestLost = (name: string): string =>
  `${name} is signed in as a guest: without the guest id, see vatom profile get --context ${name}, or an address, nobody can sign in as them again`

/** Asks before a context gives up the session of a guest. Throws a Failure where the answer is no. */
export async function confirmGuestEnd(name: string, yes: boolean | undefined, context: Context): Promise<void> {
  if (await isGuest(name, context)) await confirmed(`${guestLost(name)}. Give up this session?`, '--yes', yes, context)
}
