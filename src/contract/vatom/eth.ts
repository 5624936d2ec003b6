import * as z from 'zod/v4'
import { lazy, named } from '../schema/lazy-schema.ts'
import { recordName } from '../schema/scalars.ts'
import { ethTypes, networks } from '../values.ts'

const ethField = (type: (typeof ethTypes)[number], value: z.ZodType) => z.strictObject({ type: z.literal(type), value })
const uintError = { error: 'must be a whole number of 0 or more, as a number or a string' }
const uint = lazy(() => z.union([z.int().min(0, uintError), z.string().regex(/^\d{1,78}$/, uintError)], uintError))
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
    z.strictObject({
      network: recordName().describe('For example veos-test.'),
      symbol: z.string().optional().describe('Stored unchanged; omitted: none.'),
      fields: fields(),
    }),
  'Properties for a second blockchain; stored and answered, but not written to a chain.',
)
