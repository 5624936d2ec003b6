import type { Path } from '../schema/path.ts'
import { discoverContainer, folderTypes, packageContainer, vatomType } from '../values.ts'

/** Something that a standard action takes beside `this.id`. */
export interface ActionInputRule {
  /** Its keys, of which one is given; one that ends in `.` stands for every key that begins with it. */
  readonly keys: readonly string[]
  readonly required: boolean
}

/** A standard action: what it is called, what carries it out, who may perform it, and what it takes. Spec 2.4. */
export interface StandardAction {
  readonly name: string
  readonly reactor: string
  /** As a text: `its owner`. */
  readonly by: string
  /** What becomes of the vAtom, `it`, on a local service. */
  readonly does: string
  readonly inputs: readonly ActionInputRule[]
  /** Whether its owner cannot take it back: the vAtom is somebody else's then, or gone. A person is asked before it. */
  readonly isFinal?: true
  /** The only vAtoms that it does something with. */
  readonly on?: Holders
  /** The property of the template without which it is refused on all vAtoms. */
  readonly permit?: Permit
  /** The fields of the variation, all true, without which it is refused on its vAtoms. */
  readonly opens?: readonly ('public' | 'auto_create_on_acquire')[]
}

/** The vAtoms of some root types. */
export interface Holders {
  /** As a text: `folders`. */
  readonly what: string
  /** Their root types, of which the first is the usual one. */
  readonly rootTypes: ReadonlySet<unknown>
}

/** A property that permits an action where it is true. */
export interface Permit {
  /** What it is called, which is also what vAtoms are that it permits the action on. */
  readonly property: 'transferable' | 'cloneable' | 'acquirable' | 'redeemable'
  /** Where documents have it. A variation may overwrite what stands in the vatom section. */
  readonly path: Path
  /** What it is where nothing says it. */
  readonly unset: boolean
  /** What it stands beside, as hints name it. */
  readonly beside: string
  /** Whether a publisher's own actions may change it in a vAtom. */
  readonly mayChange?: true
}

/** The keys by which somebody is named whom a vAtom goes to, with the type of user token that each holds. */
export const recipientKeys = {
  'new.owner.email': 'email',
  'new.owner.phone_number': 'phone_number',
  'new.owner.id': 'id',
} as const

/** Whom a vAtom is to go to, as the inputs of an action name them; undefined if they name nobody. */
export const recipientIn = (inputs: Readonly<Record<string, unknown>>): unknown =>
  Object.entries(inputs).find(([key]) => Object.hasOwn(recipientKeys, key))?.[1]

const recipient = Object.keys(recipientKeys)
const needs = (...keys: readonly string[]): ActionInputRule => ({ keys, required: true })
const mayTake = (...keys: readonly string[]): ActionInputRule => ({ keys, required: false })
const standard = (
  name: string,
  by: string,
  does: string,
  inputs: readonly ActionInputRule[] = [],
  reactor = name,
): StandardAction => ({
  name,
  reactor: `blockv://v1/${reactor}`,
  by,
  does,
  inputs,
})
const owner = 'its owner'
const viewer = 'whoever can see it'

const ofVatoms = (property: Permit['property'], unset: boolean): Permit => ({
  property,
  path: [...vatomType, property],
  unset,
  beside: 'root_type',
})
const cloneable: Permit = { property: 'cloneable', path: ['cloneable'], unset: false, beside: 'template' }

const folders: Holders = { what: 'folders', rootTypes: folderTypes }
const packages: Holders = { what: 'packages', rootTypes: new Set([packageContainer]) }
const discoverContainers: Holders = { what: 'discover containers', rootTypes: new Set([discoverContainer]) }

/** The standard actions, as they are named and as what they take is named. */
export const standardActions: readonly StandardAction[] = [
  {
    ...standard('Transfer', owner, 'gives it, with what is in it, to the user whom the inputs name', [
      needs(...recipient),
    ]),
    isFinal: true,
    permit: ofVatoms('transferable', true),
  },
  {
    ...standard(
      'Clone',
      owner,
      'gives a copy of it, without what is in it, to the user whom the inputs name; its owner keeps it',
      [needs(...recipient)],
    ),
    permit: cloneable,
  },
  {
    ...standard(
      'Acquire',
      viewer,
      'makes the caller its owner, without a payment; nobody else can acquire it then',
      [],
      'AcquireWithCoins',
    ),
    permit: { ...ofVatoms('acquirable', false), mayChange: true },
  },
  {
    ...standard(
      'AcquirePubVariation',
      'any user',
      'makes a new vAtom of its variation, which the caller owns, without a payment; it stays as it is',
      [],
      'AcquirePubVariationWithCoins',
    ),
    opens: ['public', 'auto_create_on_acquire'],
  },
  {
    ...standard(
      'Redeem',
      'its owner, or any merchant',
      'gives it to the platform, to the merchant whom the inputs name, or to the merchant who performs it; it cannot be redeemed again',
      [mayTake(...recipient)],
    ),
    isFinal: true,
    permit: ofVatoms('redeemable', false),
  },
  standard(
    'Drop',
    owner,
    'puts it on the map at a place, where everybody can see it, or its owner alone while its variation is a draft; its owner stays the same',
    [needs('geo.pos')],
  ),
  standard('Pickup', 'any user', 'takes it, where it was dropped, off the map, and makes the caller its owner'),
  standard('Activate', owner, 'sets its state Activated to true'),
  {
    ...standard('Combine', owner, 'puts the vAtoms that the inputs name into it', [needs('child.id', 'vatom.ids')]),
    on: folders,
  },
  {
    ...standard(
      'Split',
      owner,
      'moves the vAtoms that the inputs name from it to where it is itself; without inputs, all that is in it',
      [mayTake('vatom.ids', 'child.id')],
    ),
    on: folders,
  },
  { ...standard('Uncombine', owner, 'moves all that is in it to where it is itself'), on: folders },
  {
    ...standard(
      'Dispense',
      viewer,
      'takes the oldest vAtom that the caller can see out of it, and gives that to the caller; a vAtom of somebody else only if it is acquirable',
    ),
    on: folders,
  },
  {
    ...standard('Discover', viewer, 'answers the ids of the vAtoms that it finds, and changes nothing'),
    on: discoverContainers,
  },
  {
    ...standard('Open', owner, 'moves all that is in it to where it is itself, and trashes it'),
    isFinal: true,
    on: packages,
  },
  standard('Trade', 'nobody: it is always refused', 'does nothing: no vAtom can be traded', [
    needs('trade.template_variation'),
    mayTake('trade.conditions'),
  ]),
  {
    name: 'Update',
    reactor: 'blockv://custom/privateproperties',
    by: 'its owner, or an administrator of its publisher',
    does: 'changes the custom properties that the inputs name, which it must have',
    inputs: [needs('private.', 'private')],
  },
]

/** The names of the standard actions that cannot be taken back. */
export const finalActions: readonly string[] = standardActions.filter(({ isFinal }) => isFinal).map(({ name }) => name)

/** The standard action that a reactor carries out. */
export const carriedOutBy = (reactor: unknown): StandardAction | undefined =>
  standardActions.find((one) => one.reactor === reactor)

/**
 * The standard action that an action is, by its reactor. One of another reactor, or whose reactor is not known, is taken for the
 * standard action of its name.
 */
export const standardAction = (name: string, reactor?: string): StandardAction | undefined =>
  carriedOutBy(reactor) ?? standardActions.find((one) => one.name === name)

/** What keys take, for example. */
export const inputExamples: Readonly<Record<string, string>> = {
  'new.owner.email': 'ada@example.com',
  'new.owner.phone_number': '+41791234567',
  'geo.pos': '{"lat": 47.37, "lon": 8.54}',
  'vatom.ids': '["ID"]',
  'child.id': 'ID',
  private: '{"colour": "red"}',
  'private.': 'VALUE',
}

/** Whether a key is one of a rule's. */
export const isInput = ({ keys }: ActionInputRule, key: string): boolean =>
  keys.some((one) => (one.endsWith('.') ? key.startsWith(one) && key.length > one.length : key === one))
