import type { Client } from '../../../client/client.ts'
import { ServiceError, unlessRefused } from '../../../client/errors.ts'
import { userOf } from '../../../client/session.ts'
import { recipientIn } from '../../../contract/kinds/standard-actions.ts'
import { insideText } from '../../../contract/schema/wording.ts'
import { vatomTypeKey } from '../../../contract/values.ts'
import type { Context } from '../../context.ts'
import { builtIn, stateOf, titleOf, type Vatom } from '../../vatoms/vatom-table.ts'
import { gotText } from './got.ts'

/** An action that was performed. */
interface Act {
  readonly action: string
  readonly id: string
  readonly inputs: Readonly<Record<string, unknown>>
  /** What it printed: JSON, as a text. */
  readonly printed: string
}

/**
 * Where a vAtom is after an action, and what the caller got by it, as the end of a sentence: `; it went to ada@example.com`.
 * Empty where nobody reads it, and where the service does not say: the action was performed in any case.
 */
export async function whereabouts(act: Act, context: Context): Promise<string> {
  const { output } = context
  if (output.json || output.quiet) return ''
  const { client } = await context.connect()
  const place = staying.includes(act.action) ? '' : await placeText(act, client, context)
  return bringing.includes(act.action) ? place + (await gotText(act.printed, client)) : place
}

async function placeText({ action, id, inputs }: Act, client: Client, context: Context): Promise<string> {
  const left = leftText(action, inputs)
  try {
    const vatom = await client.getVatom({ id })
    const user = await callerId(context)
    const owner = builtIn('owner')(vatom)
    if (owner === user)
      return `; it is in your inventory: ${titleOf(vatom)}, ${stateOf(context.output)(vatom)}${unseenText(action, vatom)}${cloneText(action, inputs)}`
    return leaving.includes(action) ? left : `; it belongs to ${owner}`
  } catch (error) {
    return error instanceof ServiceError && gone.includes(error.kind) ? left : ''
  }
}

/** Where a vAtom is that its owner gave away: what they redeem without a merchant, the platform has. Spec 2.4. */
function leftText(action: string, inputs: Act['inputs']): string {
  const recipient = recipientIn(inputs)
  if (recipient !== undefined) return `; it went to ${recipient}`
  return `${action === 'Redeem' ? '; it went to the platform' : ''}; it is no longer in your inventory`
}

/** The id of who is signed in. */
export async function callerId({ connect }: Pick<Context, 'connect'>): Promise<string> {
  const { client, session } = await connect()
  return String(userOf(await session.accessToken()) ?? (await client.getProfile({})).id)
}

/** Says that others do not see a vAtom that was dropped, where that is so. */
const unseenText = (action: string, { unpublished }: Vatom): string =>
  action === 'Drop' && unpublished === true ? '; others see it on the map once its variation is published' : ''

/** Where the clone of a vAtom is that itself stays where it was. */
function cloneText(action: string, inputs: Act['inputs']): string {
  const recipient = recipientIn(inputs)
  return action === 'Clone' && recipient !== undefined ? `; its clone went to ${recipient}` : ''
}

/** Standard actions by which a vAtom goes somewhere else, with what is in it; by the first of them, it leaves its owner. */
const leaving = ['Transfer', 'Redeem']
const arriving = ['Pickup', 'Acquire']
/** The one that leaves a vAtom where it is, and makes another one of its variation. */
const making = 'AcquirePubVariation'
/** Those that leave the vAtom where it is, whose output names what the caller got. */
const staying = [making, 'Dispense']
/** All whose output names that. */
const bringing = [...staying, 'Open']
const moving = [...leaving, 'Drop', ...arriving]

/** Whether nobody reads what is said of an action. */
const isUnread = ({ output, dryRun }: Context): boolean => (output.json || output.quiet) && !dryRun

/**
 * What goes along with a vAtom, as the end of a sentence: `, with 3 vAtoms inside`. Empty where nobody reads it, and
 * where the service does not say: what is in a vAtom of somebody else is known once the caller has it.
 */
export const contentsAlong = async (action: string, id: string, context: Context): Promise<string> =>
  (await readInside(action, id, context).catch(unlessRefused)) ?? ''

/**
 * The same once it was performed: of what came from somebody else it is known only then. Empty where it cannot be read,
 * as the action was performed in any case.
 */
export const contentsAlongAfter = async (action: string, id: string, context: Context): Promise<string> =>
  arriving.includes(action) ? readInside(action, id, context).catch(() => '') : ''

async function readInside(action: string, id: string, context: Context): Promise<string> {
  if (!moving.includes(action) || isUnread(context)) return ''
  const { client } = await context.connect()
  const { contentsById } = await import('../../vatoms/contents.ts')
  const found = await contentsById(client, [id])
  return insideText(found.get(id)?.length ?? 0)
}

/**
 * The variation that an action makes a vAtom of for its caller, as the end of a sentence: `, for a new vAtom of …`. Empty for
 * other actions, where nobody reads it, and where the caller does not see the vAtom that it is performed on.
 */
export async function newVatom(action: string, id: string, context: Context): Promise<string> {
  if (action !== making || isUnread(context)) return ''
  const { client } = await context.connect()
  const vatom = await client.getVatom({ id }).catch(unlessRefused)
  return vatom === undefined ? '' : `, for a new vAtom of ${vatom[vatomTypeKey].template_variation}`
}

/** How to see what became of an action that is not waited for. */
export function laterOutcome(action: string, id: string): string {
  if (leaving.includes(action)) return 'afterwards the vAtom is no longer listed in vatom inventory'
  if (action === making) return 'afterwards the new vAtom is listed in vatom inventory'
  return `what it changes: vatom show ${id}; if it fails, only the log of the service says so`
}

/** How a service answers for a vAtom that the user no longer sees. */
const gone: readonly unknown[] = ['unknownVatom', 'foreignVatom']
