import { defaults } from '../../contract/defaults.ts'
import { publisherPlaceholder } from '../../contract/values.ts'
import { expandPublisher } from '../../documents/load/names.ts'
import type { Context } from '../context.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { toFailure } from '../failure/translate.ts'
import type { Connection } from './connect.ts'
import { halfConfiguration } from './target.ts'

/** The publisher's domain name, if it is known without a request. Checks of files do not need a service that is chosen. */
export async function knownPublisher({ host, target, config }: Context): Promise<string | undefined> {
  if (host.env.VATOM_PUBLISHER) return host.env.VATOM_PUBLISHER
  const chosen = await target().catch(unlessHalf)
  if (chosen === undefined) return undefined
  if (chosen.kind === 'network') return chosen.publisher
  return (await config.read()).local_publisher ?? defaults.publisher
}

function unlessHalf(error: unknown): undefined {
  if (!(error instanceof Failure && error.code === halfConfiguration)) throw error
}

/** The signed-in publisher's domain name. Throws `not_publisher` for any other user. */
export async function signedInPublisher({ client, publisher }: Connection): Promise<string> {
  const found = publisher ?? (await client.getProfile({})).system_properties.pub_fqdn
  if (found) return found
  throw new Failure('not_publisher', exit.session, 'You are not an administrator of a publisher', {
    hint: 'sign in as one: vatom login; or use another context: vatom context list, then vatom context use NAME',
  })
}

/** The publisher whose documents are read. */
export interface Assumed {
  readonly name?: string
  /** Whether the service gave the name. */
  readonly isConfirmed: boolean
  /** Why the service did not give the name. */
  readonly failure?: Failure
}

/** The publisher that is known without a request, else the signed-in one, so that documents are loaded once. */
export async function assumedPublisher(context: Context): Promise<Assumed> {
  const known = await knownPublisher(context)
  if (known !== undefined) return { name: known, isConfirmed: false }
  try {
    return { name: await signedInPublisher(await context.connect()), isConfirmed: true }
  } catch (error) {
    return { isConfirmed: false, failure: await toFailure(error, context.host) }
  }
}

/** What `$publisher` stands for: known without a request, or else asked of the service; undefined without a session. */
export const resolvedPublisher = async (context: Context): Promise<string | undefined> =>
  (await assumedPublisher(context)).name

/** A name as it was given. Throws a usage error if a shell has expanded `$publisher`. */
export function checkedName(name: string): string {
  if (!name.startsWith('::')) return name
  throw usage('the name begins with ::', `in a shell put '${publisherPlaceholder}::…' in single quotes`)
}

/** A name with the signed-in publisher for `$publisher`. Throws a usage error if a shell has expanded `$publisher`. */
export async function fullName(name: string, context: Context): Promise<string> {
  if (!checkedName(name).startsWith(publisherPlaceholder)) return name
  const publisher = (await knownPublisher(context)) ?? (await signedInPublisher(await context.connect()))
  return expandPublisher(name, publisher)
}
