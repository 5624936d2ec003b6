import { usage } from '../failure/failure.ts'

/** Whether a text is an address or a number of a user, which is no id. */
export const isUserToken = (text: string): boolean => text.includes('@') || /^\+?\d{6,}$/.test(text)

/** Throws a usage error for an address or a number where the id of another user is needed. */
export function checkUserId(given: string): void {
  if (!isUserToken(given)) return
  throw usage(
    `${given} is not the id of a user: services find other users by their id only`,
    'the ids of those who sent you something: vatom thread list; to send a vAtom to an address: vatom act Transfer ID -d new.owner.email=EMAIL',
  )
}
