import * as z from 'zod/v4'
import { lazy, named } from '../schema/lazy-schema.ts'
import { currency, flag, price, validity } from '../schema/scalars.ts'

const priceFields = lazy(() => ({
  currency: currency().optional().describe('Fiat currency code (ISO 4217).'),
  price: price().optional().describe('Price.'),
  valid_from: validity().optional().describe('First day of validity, or "*".'),
  valid_through: validity().optional().describe('Last day of validity, or "*".'),
  vat_included: flag('Whether the price includes value added tax.'),
}))

/** Price value object; its fields may stand here or under a nested `value`. Spec 2.4. */
const PriceValue = named(
  'PriceValue',
  () =>
    z.strictObject({
      ...priceFields(),
      value: z.strictObject(priceFields()).optional().describe('The same fields, nested.'),
    }),
  'Price of a redeemable vAtom.',
)

/** `commerce` of a template. Spec 2.4. */
export const Commerce = named(
  'Commerce',
  () =>
    z.strictObject({
      pricing: z
        .strictObject({
          pricingType: z
            .literal('Fixed', { error: 'must be "Fixed", the only supported pricing' })
            .optional()
            .describe('Only Fixed is supported.'),
          value: PriceValue().optional().describe('The price.'),
        })
        .optional()
        .describe('Absent: the merchant redeems under terms agreed outside the service.'),
    }),
  'Pricing of a redeemable vAtom.',
)
