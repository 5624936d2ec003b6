import { UnknownOutcomeError } from '../../client/errors.ts'
import type { SendingAgain } from '../../client/transport.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import { exit, Failure } from '../failure/failure.ts'

/** What has become of a record while a change of it waited to be sent again; a failure where somebody else changed it. */
export type Standing = 'as before' | 'as sent' | Error

/** Thrown in place of sending a change again that the record has by now. */
export class DoneMeanwhile extends Error {
  override readonly name = 'DoneMeanwhile'
}

/**
 * Has a change sent again only while its record is as it was before it: nobody else's change is overwritten. Throws
 * `UnknownOutcomeError` in place of other failures where the change may have been made by then.
 */
export const whileAsBefore = (look: () => Promise<Standing>): SendingAgain => ({
  beforeAgain: async (mayBeDone) => {
    const standing = await look().catch(errorOf)
    if (standing === 'as sent') throw new DoneMeanwhile()
    if (standing !== 'as before') throw mayBeDone ? new UnknownOutcomeError(standing) : standing
  },
})

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(messageOf(error)))

/** What `otherwise` answers where a change was not sent again, as the record has it. */
export const orDone = <T>(answer: Promise<T>, otherwise: () => Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    if (error instanceof DoneMeanwhile) return otherwise()
    throw error
  })

/** What is said of the record of a change that was not made. */
export const leftAsItIs = 'it was left as it is'

/** The failure of a command whose record somebody else changed while it waited to send its change again. */
export const changedWhileWaiting = ({ kind, name }: { readonly kind: string; readonly name: string }): Failure =>
  new Failure(
    'changed_meanwhile',
    exit.refused,
    `${kind} ${name} was changed by somebody else while this command waited to send its change again`,
    { undone: leftAsItIs, hint: 'see what it is now, and run the command again' },
  )
