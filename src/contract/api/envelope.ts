import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { named } from '../schema/lazy-schema.ts'

/** A successful answer around an operation's payload. */
export const successEnvelope = <P extends z.ZodType>(payload: P) =>
  z.looseObject({ request_id: z.string().optional(), payload })

/** Assumptions about every request. */
export const requestDetails = [
  `calls that sign in, make a guest, or ask for a code or try one are limited to ${limits.callsPerMinute} a minute from one address, each operation for itself; so are changes of the password by one user`,
  'the access token is in the header Authorization, with or without Bearer before it',
  'an answer is {request_id, payload}; an error is {request_id, error, message}, and with status 400 also has issues, a list of {path, message}',
  'the request_id of an answer is also in its header X-Request-Id; a request with that header, of up to 128 letters, digits and . _ : -, is named by it',
] as const

/** An error's body; `issues` on 400. Never has a `payload` key. Spec 7 shows no body. */
export const ErrorBody = named(
  'Error',
  () =>
    z.looseObject({
      request_id: z.string().optional(),
      error: z.int().optional().describe('Application code; absent in an answer of status 401.'),
      message: z.string().optional(),
      issues: z
        .array(z.looseObject({ path: z.string(), message: z.string() }))
        .optional()
        .describe('What is wrong with the request: one entry for each place.'),
    }),
  'Why a request was refused.',
)

/** Payload of an operation that only confirms. */
export const Confirmation = named('Confirmation', () => z.looseObject({ success_message: z.string() }))
