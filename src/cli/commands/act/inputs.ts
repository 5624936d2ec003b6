import type { Client } from '../../../client/client.ts'
import { inputExamples, isInput, recipientKeys } from '../../../contract/kinds/standard-actions.ts'
import { type OfferedAction, unreadAction } from '../../../contract/rules/offered-actions.ts'
import { isObject } from '../../../contract/schema/path.ts'
import { suggest } from '../../../contract/schema/suggest.ts'
import { remedy } from '../../failure/empty-arguments.ts'
import { usage } from '../../failure/failure.ts'
import { shellWord } from '../../io/text.ts'
import { pointIn } from '../../map/area.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { vatomId } from '../../vatoms/vatom-id.ts'
import type { ActedOn } from './acted-on.ts'

type Inputs = Readonly<Record<string, unknown>>

/** Fails for inputs that are wrong by the name of an action, unless they are right by its record, which is read only then. */
export async function checkByName(action: string, inputs: Inputs, read: () => Promise<ActedOn>): Promise<void> {
  try {
    checkInputs(unreadAction(action), inputs)
  } catch (fault) {
    const found = await read().catch(() => {
      throw fault
    })
    checkInputs(found.action, inputs)
  }
}

/** Fails for misspelled and missing inputs of a standard action; inputs of other actions are unknown. */
export function checkInputs({ name: action, standard }: OfferedAction, inputs: Inputs): void {
  const rules = standard?.inputs
  if (!rules) return
  const given = Object.keys(inputs)
  const known = rules.flatMap(({ keys }) => keys)
  for (const key of given.filter((one) => !rules.some((rule) => isInput(rule, one)))) {
    const whole = known.find((one) => key.startsWith(`${one}.`))
    if (whole !== undefined)
      throw usage(`${action} takes ${whole} as a whole, not ${key}`, `give it: ${exampleOf([whole])}. ${otherwise}`)
    const meant = suggest(key, known)
    if (meant !== undefined) throw usage(`${action} takes no ${key}`, `did you mean ${shown(meant)}? ${otherwise}`)
  }
  const empty = given.find((key) => Object.hasOwn(recipientKeys, key) && inputs[key] === '')
  if (empty !== undefined) throw usage(`${empty} is empty`, remedy)
  for (const rule of rules)
    if (rule.required && !given.some((key) => isInput(rule, key)))
      throw usage(`${action} needs ${rule.keys.map(shown).join(' or ')}`, `give it: ${exampleOf(rule.keys)}`)
}

/** Inputs in which the beginning of the id of a vAtom is its whole id, as in arguments. */
export async function withWholeIds(inputs: Inputs, client: Client): Promise<Record<string, unknown>> {
  const whole = (given: unknown) => (typeof given === 'string' ? vatomId(given, client) : given)
  const { [oneId]: one, [manyIds]: given } = inputs
  const many = typeof given === 'string' ? given.split(',').map((id) => id.trim()) : given
  return {
    ...inputs,
    ...(one !== undefined && { [oneId]: await whole(one) }),
    ...(Array.isArray(many) && { [manyIds]: await inParallel(many, async (id: unknown) => whole(id)) }),
  }
}

/**
 * Inputs of an action in which a position that is written `47.37,8.54`, as `map --around` takes it, is an object, as services
 * take it; of other actions than those that need a position, nobody knows what they take. Fails for what is no position.
 */
export async function withPoint(action: string, inputs: Inputs, read: () => Promise<ActedOn>): Promise<Inputs> {
  const { [position]: given } = inputs
  if (given === undefined || isObject(given) || isJsonObject(given)) return inputs
  const isNeeded = needsPosition(unreadAction(action)) || (await read().then(isPlaced, () => false))
  if (!isNeeded) return inputs
  const point = typeof given === 'string' ? pointIn(given) : undefined
  if (point !== undefined) return { ...inputs, [position]: point }
  throw usage(
    `${position} must be degrees north and east with a comma between them, or an object with lat and lon`,
    `write it so: -d ${position}=47.37,8.54, or in quotes: ${exampleOf([position])}`,
  )
}

/** Whether it is a text that a service reads as an object, or says what is wrong with. */
const isJsonObject = (given: unknown) => typeof given === 'string' && given.trimStart().startsWith('{')

const isPlaced = ({ action }: ActedOn) => needsPosition(action)

const needsPosition = ({ standard }: OfferedAction): boolean =>
  standard?.inputs.some((rule) => isInput(rule, position)) === true

/** The input that is a position. */
export const position = 'geo.pos'

/** Inputs that are ids of vAtoms. */
const oneId = 'child.id'
const manyIds = 'vatom.ids'

/** Inputs of the standard actions that are texts: an id, or a number of a telephone, may have digits alone. */
export const textInputs: readonly string[] = [oneId, manyIds, ...Object.keys(recipientKeys)]

const otherwise = 'To send it anyway: --any-input'

/** A key as people write it: `private.NAME` for `private.`, which is the prefix of many. */
const shown = (key: string) => (key.endsWith('.') ? `${key}NAME` : key)

/** A flag that gives the first of these keys. */
export function exampleOf([key = '']: readonly string[]): string {
  const example = inputExamples[key]
  return `-d ${shown(key)}=${example === undefined ? '…' : shellWord(example)}`
}
