import * as z from 'zod/v4'
import { lazy, named } from '../schema/lazy-schema.ts'
import { recordName } from '../schema/scalars.ts'
import { ethTypes, networks } from '../values.ts'

const ethField = (type: (typeof ethTypes)[number], value: z.ZodType) => z.strictObject({ type: z.literal(type), value })
const uintError = { error: 'must be a whole number of 0 or more, as a number or a string' }
const uintText = /^\d{1,78}$/
/** The largest uint of a smart contract. */
const uintMax = 2n ** 256n - 1n
const tooLong = {
  error: `must be a string beyond ${Number.MAX_SAFE_INTEGER}: a larger number loses digits; quote it`,
  params: { rule: 'range', wanted: ['string'] },
}
const uint = lazy(() =>
  z.union(
    [
      z
        .number()
        .min(0, uintError)
        .refine((value) => value < 0 || Number.isInteger(value), { ...uintError, params: { rule: 'value' } })
        .refine((value) => value <= Number.MAX_SAFE_INTEGER, tooLong)
        .meta({ multipleOf: 1 }),
      z
        .string()
        .regex(uintText, uintError)
        .refine((value) => !uintText.test(value) || BigInt(value) <= uintMax, {
          error: 'must be at most 2^256 - 1, the largest uint of a contract',
          params: { rule: 'range' },
        }),
    ],
    uintError,
  ),
)
/** A field stored on chain: a JSON value of its type, or the string form of one. Spec 2.3. */
const EthField = named(
  'EthField',
  () =>
    z.discriminatedUnion(
      'type',
      [
        ethField('bool', z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })),
        ethField('uint', uint()),
        ethField('string', z.string()),
      ],
      { error: `needs a type: ${ethTypes.join(', ')}` },
    ),
  'A value recorded in the smart contract.',
)

const fields = lazy(() =>
  z.record(recordName(), EthField()).describe('The fields by name; {} records only the ownership.'),
)

/** The `eth` section. Spec 2.3. */
export const Eth = named(
  'Eth',
  () =>
    z.strictObject({
      network: z.enum(networks).describe('Writes on mainnet are charged.'),
      symbol: z.string().optional().describe("Omitted: the publisher's domain name."),
      fields: fields(),
    }),
  'Properties recorded on a public blockchain.',
)

/** The `eos` section, which the specification does not know: stored and answered, but not written to a chain. */
export const Eos = named(
  'Eos',
  () =>
    z
      .strictObject({
        network: recordName().describe('For example veos-test.'),
        symbol: z.string().optional().describe('Stored unchanged; omitted: none.'),
        fields: fields(),
      })
      .meta({ 'x-unlisted': true }),
  'Properties for a second blockchain; stored and answered, but not written to a chain.',
)
