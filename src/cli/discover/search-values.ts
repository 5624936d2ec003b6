import { isUuid } from '../../contract/api/user-token-formats.ts'
import type { Kind } from '../../contract/kinds/kind.ts'
import { template } from '../../contract/kinds/template.ts'
import { variation } from '../../contract/kinds/variation.ts'
import { nameList, suggest } from '../../contract/schema/suggest.ts'
import { isWholeName, vatomTypeKey, visibilities } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { shellWord } from '../io/text.ts'
import { isBeginning } from '../kinds/short-id.ts'
import { meantName } from '../kinds/short-name.ts'
import { userIdIn, vatomId } from '../vatoms/vatom-id.ts'

/** A value that a field is to be equal to, as the command line gives it. */
interface Compared {
  readonly value: string
  /** The field's short name, as `template`. */
  readonly field: string
  /** The command with another value. */
  readonly commandWith: (value: string) => string
}

type Meaning = (compared: Compared, context: Context) => string | Promise<string>

/**
 * The value that is meant: short names and beginnings of ids stand for whole ones, as in other commands. Throws where nothing
 * could be equal to it. Whole names and ids, and what other fields are compared with, cost no request.
 */
export async function meantValue(compared: Compared & { readonly key: string }, context: Context): Promise<string> {
  const field = compared.key.replace(`${vatomTypeKey}.`, '')
  const meaning = compared.value.startsWith('$') ? undefined : meanings.get(field)
  return meaning === undefined ? compared.value : meaning({ ...compared, field }, context)
}

const named =
  (kind: Kind): Meaning =>
  ({ value, field, commandWith }, context) => {
    if (isWholeName(value) || value === '') return value
    const otherwise = `, or find all that contain it: --filter ${shellWord(`${field} ~ ${value}`)}`
    return meantName({ kind, given: value, commandWith, isOpen: true, otherwise }, context)
  }

const vatom: Meaning = async ({ value }, context) =>
  isBeginning(value) ? vatomId(value, (await context.connect()).client) : value

const user: Meaning = async ({ value, field }, context) => {
  if (value === '') return value
  if (isUuid(value)) return value.toLowerCase()
  const id = isBeginning(value) ? await userIdIn(field, value, (await context.connect()).client) : undefined
  if (id !== undefined) return id
  throw usage(
    `${value} is not the id of a user: ${field} is compared with a whole id, or with the beginning of one in a vAtom that you can see`,
    `your own: vatom discover --filter ${shellWord(`${field} = $currentuser`)}; the ids of those who sent you something: vatom thread list`,
  )
}

const oneOf =
  (values: readonly string[]): Meaning =>
  ({ value, field, commandWith }) => {
    if (values.includes(value)) return value
    const meant = suggest(value, values)
    const hint = meant === undefined ? '' : `did you mean: ${commandWith(meant)}`
    throw usage(`${field} is never ${value}: it is one of ${nameList(values)}`, hint || undefined)
  }

const meanings: ReadonlyMap<string, Meaning> = new Map([
  ['template', named(template)],
  ['template_variation', named(variation)],
  ['id', vatom],
  ['parent_id', vatom],
  ['owner', user],
  ['author', user],
  ['visibility_type', oneOf(visibilities)],
  ['visibility.type', oneOf(visibilities)],
  ...['acquirable', 'acquireable', 'in_contract'].map((field) => [field, oneOf(['true', 'false'])] as const),
])
