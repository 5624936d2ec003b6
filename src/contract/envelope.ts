import * as z from 'zod/v4'

/** A successful answer around an operation's payload. */
export const successEnvelope = <P extends z.ZodType>(payload: P) =>
  z.looseObject({ request_id: z.string().optional(), payload })

/** An error's body; `issues` on 400. Never has a `payload` key. */
export const ErrorBody = z.looseObject({
  request_id: z.string().optional(),
  error: z.int().optional(),
  message: z.string().optional(),
  issues: z.array(z.looseObject({ path: z.string(), message: z.string() })).optional(),
})
