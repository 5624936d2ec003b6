import * as z from 'zod/v4'
import { headerText } from '../../contract/values.ts'

/** What a header can have; anything else is damage, which would only show as a failure of the network. */
const headerValue = z.string().regex(headerText)

const SavedContext = z.object({
  base_url: z.string(),
  app_id: headerValue,
  /** The signed-in publisher's domain name, as the service last reported it. */
  publisher: z.string().optional(),
  /** Whether plain http to other machines is allowed. */
  insecure: z.boolean().optional(),
})
export type SavedContext = z.output<typeof SavedContext>

/** The configuration that is stored between runs, without secrets. */
export const Config = z.object({
  current: z.string().optional(),
  contexts: z.record(z.string(), SavedContext).default({}),
  /** The `local` context's publisher, if it is not the default one. */
  local_publisher: z.string().optional(),
})
export type Config = z.output<typeof Config>

/** Tokens by context. */
export const Credentials = z.record(
  z.string(),
  z.object({
    /** The service that issued them, which alone gets them; earlier versions did not store it. */
    service: z.object({ base_url: z.string(), app_id: headerValue }).optional(),
    refresh_token: headerValue.optional(),
    access_token: headerValue.optional(),
    /** Whether it began as that of a new guest, whom nothing but the guest id may open again. */
    guest: z.boolean().optional(),
    /** Whether the service refused to renew it. */
    refused: z.boolean().optional(),
  }),
)
export type Credentials = z.output<typeof Credentials>

/** When saved plans were carried out, by their digests. */
export const CarriedOut = z.record(z.string(), z.string())

/** The catalogs that own records, by what identifies each. */
export const Owners = z.record(z.string(), z.string())
