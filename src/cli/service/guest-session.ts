import type { Context } from '../context.ts'
import { confirmed } from '../kinds/confirmations.ts'

/** What becomes of the guest of a context without a session. */
export const guestLost = (name: string): string =>
  `${name} is signed in as a guest: without the guest id, see vatom profile get --context ${name}, or an address, nobody can sign in as them again`

/** Asks before a context gives up the session of a guest. Throws a Failure where the answer is no. */
export async function confirmGuestEnd(name: string, yes: boolean | undefined, context: Context): Promise<void> {
  const { guest } = (await context.credentials.read())[name] ?? {}
  if (guest) await confirmed(`${guestLost(name)}. Give up this session?`, '--yes', yes, context)
}
