import { ServiceError } from '../../../client/errors.ts'
import { userOf } from '../../../client/session.ts'
import type { Context } from '../../context.ts'
import { builtIn, stateOf } from '../../vatoms/vatom-table.ts'

/**
 * Where a vAtom is after an action, as the end of a sentence: `; it went to ada@example.com`. Empty where nobody
 * reads it, and where the service does not say: the action was performed in any case.
 */
export async function whereabouts(id: string, inputs: Readonly<Record<string, unknown>>, context: Context) {
  const { output } = context
  if (output.json || output.quiet) return ''
  const { client, session } = await context.connect()
  try {
    const vatom = await client.getVatom({ id })
    const user = userOf(await session.accessToken()) ?? (await client.getProfile({})).id
    const owner = builtIn('owner')(vatom)
    return owner === user ? `; it is in your inventory: ${stateOf(output)(vatom)}` : `; it belongs to ${owner}`
  } catch (error) {
    if (!(error instanceof ServiceError && gone.includes(error.kind))) return ''
    const recipient = Object.entries(inputs).find(([key]) => key.startsWith('new.owner.'))?.[1]
    return recipient === undefined ? '; it is no longer in your inventory' : `; it went to ${recipient}`
  }
}

/** How a service answers for a vAtom that the user no longer sees. */
const gone: readonly unknown[] = ['unknownVatom', 'foreignVatom']
