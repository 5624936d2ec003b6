/** Something that a standard action takes beside `this.id`. */
export interface ActionInputRule {
  /** Its keys, of which one is given; one that ends in `.` stands for every key that begins with it. */
  readonly keys: readonly string[]
  readonly required: boolean
}

/** A standard action: what it is called, what carries it out, and what it takes. Spec 2.4. */
export interface StandardAction {
  readonly name: string
  readonly reactor: string
  readonly inputs: readonly ActionInputRule[]
}

/** The keys by which somebody is named whom a vAtom goes to, with the type of user token that each holds. */
export const recipientKeys = {
  'new.owner.email': 'email',
  'new.owner.phone_number': 'phone_number',
  'new.owner.id': 'id',
} as const

const recipient = Object.keys(recipientKeys)
const needs = (...keys: readonly string[]): ActionInputRule => ({ keys, required: true })
const mayTake = (...keys: readonly string[]): ActionInputRule => ({ keys, required: false })
const standard = (name: string, inputs: readonly ActionInputRule[] = [], reactor = name): StandardAction => ({
  name,
  reactor: `blockv://v1/${reactor}`,
  inputs,
})

/** The standard actions, as they are named and as what they take is named. */
export const standardActions: readonly StandardAction[] = [
  standard('Transfer', [needs(...recipient)]),
  standard('Clone', [needs(...recipient)]),
  standard('Acquire', [], 'AcquireWithCoins'),
  standard('AcquirePubVariation', [], 'AcquirePubVariationWithCoins'),
  standard('Redeem', [mayTake(...recipient)]),
  standard('Drop', [needs('geo.pos')]),
  standard('Pickup'),
  standard('Activate'),
  standard('Combine', [needs('child.id', 'vatom.ids')]),
  standard('Split', [mayTake('vatom.ids', 'child.id')]),
  standard('Uncombine'),
  standard('Dispense'),
  standard('Discover'),
  standard('Open'),
  standard('Trade', [needs('trade.template_variation'), mayTake('trade.conditions')]),
  { name: 'Update', reactor: 'blockv://custom/privateproperties', inputs: [needs('private.', 'private')] },
]

/** Whether a key is one of a rule's. */
export const isInput = ({ keys }: ActionInputRule, key: string): boolean =>
  keys.some((one) => (one.endsWith('.') ? key.startsWith(one) && key.length > one.length : key === one))
