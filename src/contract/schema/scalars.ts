import { codes as currencyCodes } from 'currency-codes'
import languages from 'iso-639-1'
import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy } from './lazy-schema.ts'

/** Well-formed text of at most `max` characters; characters are code points, as in JSON Schema. */
export const text = (max: number) =>
  z
    .string()
    .refine((value) => value.length <= max || (value.length <= 2 * max && [...value].length <= max), {
      error: `must have at most ${max} characters`,
      params: { rule: 'length' },
      // Each further look at a text of a megabyte would keep others waiting.
      abort: true,
    })
    .refine((value) => !/\p{Cs}/u.test(value), { error: 'must not contain half of a surrogate pair' })
    .meta({ maxLength: max })

const control = /\p{Cc}/u
/** Whether a text has no control characters, which not all can be stored. */
export const isPrintable = (value: string): boolean => !control.test(value)
export const printable = { error: 'must not contain control characters' }
/** Control characters, for a class of characters in the pattern of a JSON Schema. */
export const controls = '\\u0000-\\u001f\\u007f-\\u009f'
const namePattern = `^[^${controls}]*$`

/** Whether a pattern of a JSON Schema only excludes control characters. */
export const isNamePattern = (pattern: string): boolean => pattern === namePattern

/** A record's name: printable, not empty, at most 256 characters. */
export const recordName = lazy(() =>
  text(limits.name)
    .min(1, { error: 'must not be empty' })
    .refine(isPrintable, printable)
    .meta({ pattern: namePattern }),
)

/** The error of a text that must be a day or begin with one; `otherwise` if it is not written as one. */
const dayError =
  (otherwise: string) =>
  ({ input }: { readonly input?: unknown }): string => {
    const [, written] = /^(\d{4}-\d{2}-\d{2})(T|$)/.exec(typeof input === 'string' ? input : '') ?? []
    const exists = written === undefined || z.iso.date().safeParse(written).success
    return exists ? otherwise : `must be a day that exists: there is no ${written}`
  }

/** `YYYY-MM-DD`, a day that exists. Spec 2.1. */
export const day = lazy(() => z.iso.date({ error: dayError('must be a day written as YYYY-MM-DD') }))

/** An ISO 8601 day or instant, or `*` for no bound. Spec 2.4. */
export const validity = lazy(() =>
  z.union([z.literal('*'), z.iso.date(), z.iso.datetime({ offset: true })], {
    error: dayError('must be an ISO 8601 date such as 2027-12-31, or "*" for no bound'),
  }),
)

/** A two-letter language code. Spec 2.1, ISO 639-1. The list is made when a code is first looked at. */
export const language = lazy(() =>
  z.lazy(() =>
    z.enum(languages.getAllCodes() as [string, ...string[]], {
      error: 'must be a two-letter language code of ISO 639-1, such as en',
    }),
  ),
)

/** Codes of ISO 4217 for what is not money of a country: funds, units of account, metals, tests. */
const notFiat: ReadonlySet<string> = new Set(
  'BOV CHE CHW CLF COU MXV USN UYI UYW XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '),
)

/** A fiat currency code. Spec 2.4, ISO 4217. */
export const currency = lazy(() =>
  z.lazy(() =>
    z
      .enum(currencyCodes() as [string, ...string[]], {
        error: 'must be a code of a fiat currency (ISO 4217), such as EUR',
      })
      .refine((code) => !notFiat.has(code), {
        error: ({ input }) => `must be a fiat currency, such as EUR: ${String(input)} is not money of a country`,
        params: { rule: 'value' },
      })
      .meta({ enum: currencyCodes().filter((code) => !notFiat.has(code)) }),
  ),
)

const priceError = { error: 'must be a number, or a number written as a string, such as "4.50"' }
/** A number, or a number written as a string. Spec 2.4. */
export const price = lazy(() =>
  z.union(
    [
      z.number(),
      z
        .string()
        .regex(/^-?\d+(\.\d+)?$/, priceError)
        .meta({ 'x-unlisted': true }),
    ],
    priceError,
  ),
)

/** Degrees east, counted on beyond the antimeridian as maps do that were turned once around: 190 is -170. */
export const longitude = lazy(() => z.number().min(-540).max(540))

/** A boolean that may be left out. */
export const flag = (description: string) => z.boolean().optional().describe(description)

/** The note of a field or value that the specification does not list where it lists others. */
export const unlisted = (description: string) => ({ description, 'x-unlisted': true })

/** An object with keys of the publisher's choosing. */
export const anyObject = lazy(() => z.record(z.string(), z.unknown()))

/** A record in an answer, documented by the named schema, and read whatever it has: services may leave fields out. */
export const recordOf = (schema: string) => anyObject().meta({ 'x-record': schema })

/** A list, bounded. */
export const list = <S extends z.ZodType>(entry: S, max: number = limits.list) =>
  z.array(entry).max(max, { error: `must have at most ${max} entries` })
