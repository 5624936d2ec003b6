import type { Context } from '../context.ts'
import { confirmed } from '../kinds/confirmations.ts'

/** What becomes of the guest of a context without a session. */
export const guestLost = (name: string): string =>
  `${name} is signed in as a guest: without the guest id, see vatom profile get --context ${name}, or an address, nobody can sign in as them again`

/**
 * Asks before a context gives up the session of a guest; `look` reads the profile, as the guest may have become a user. Throws
 * a Failure where the answer is no.
 */
export async function confirmGuestEnd(
  name: string,
  yes: boolean | undefined,
  look: () => Promise<unknown>,
  context: Context,
): Promise<void> {
  const isGuest = async () => (await context.credentials.read())[name]?.guest === true
  if (!(await isGuest())) return
  // Where nobody answers, what is known counts.
  await look().catch(() => {})
  if (await isGuest()) await confirmed(`${guestLost(name)}. Give up this session?`, '--yes', yes, context)
}
