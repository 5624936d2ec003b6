import { defaults } from '../../contract/defaults.ts'
import { isPublisherName, isSamePublisher } from '../../contract/schema/domain-name.ts'
import { publisherPlaceholder } from '../../contract/values.ts'
import { expandPublisher } from '../../documents/load/names.ts'
import type { Context } from '../context.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { toFailure } from '../failure/translate.ts'
import { pipelineVariable } from '../pipeline.ts'
import { refuseQuotes } from './quoted.ts'
import { ignoredText, loginAs, tokenVariable, unchosen, unlessHalf } from './target.ts'

/**
 * The publisher's domain name for checks of files, which need no session: from the environment, or else as the session
 * says it without a request.
 */
export const knownPublisher = async (context: Context): Promise<string | undefined> =>
  givenPublisher(context) ?? (await sessionPublisher(context))

/**
 * The publisher that the environment names. Throws a usage error for what is no domain name: an empty one, as of a secret
 * that does not exist, or a misspelt one.
 */
export function givenPublisher({ host: { env } }: Context): string | undefined {
  const given = env.VATOM_PUBLISHER
  if (given === undefined || isPublisherName(given)) return given
  refuseQuotes(given, 'VATOM_PUBLISHER')
  throw usage(
    given === '' ? 'VATOM_PUBLISHER is set, but empty' : `VATOM_PUBLISHER is ${given}, and no domain name`,
    'set it to your publisher domain name, or remove it: env -u VATOM_PUBLISHER vatom …',
  )
}

/** The publisher of the session, if it is known without a request. */
async function sessionPublisher({ host, target, config }: Context): Promise<string | undefined> {
  const chosen = await target().catch(unlessHalf)
  if (chosen === undefined || unchosen(chosen, host.env)) return undefined
  if (chosen.kind === 'local') return (await config.read()).local_publisher ?? defaults.publisher
  if (chosen.unclearSession) throw chosen.unclearSession
  return chosen.publisher
}

/** What to do if the publisher that names are compared with is not the one that is meant. */
export async function publisherHint(context: Context): Promise<string | undefined> {
  const given = givenPublisher(context)
  if (given !== undefined) return unmeantPublisher(given, 'the value of VATOM_PUBLISHER')
  const publisher = await sessionPublisher(context)
  const target = await context.target().catch(unlessHalf)
  if (publisher === undefined || target === undefined) return undefined
  const others = 'set VATOM_PUBLISHER, or sign in: vatom login'
  if (target.kind === 'local')
    return unmeantPublisher(publisher, `that of the service on this machine; for another, ${others}`)
  const variable = tokenVariable(target, context.host.env)
  const of = variable === undefined ? `the session of ${target.name ?? target.baseUrl}` : variable
  return unmeantPublisher(publisher, `that of ${of}; for another, use its session`)
}

/** The same for a publisher of which it is known where it is from, and how another is named. */
export const unmeantPublisher = (publisher: string, source: string): string =>
  `if ${publisher} is not your publisher domain name: it is ${source}`

/** The publisher's domain name for a command with a session. Throws a usage error if the environment names another one. */
async function checkedPublisher(context: Context): Promise<string | undefined> {
  const found = await sessionPublisher(context)
  return found === undefined ? knownPublisher(context) : sameAsGiven(found, context)
}

/** The publisher as the session spells it. Throws a usage error if VATOM_PUBLISHER is another one: one of both is not meant. */
export async function sameAsGiven(publisher: string, context: Context): Promise<string> {
  const given = givenPublisher(context)
  if (given === undefined || isSamePublisher(given, publisher)) return publisher
  // In a pipeline without a chosen service, that is what is wrong.
  await context.service()
  throw usage(
    `VATOM_PUBLISHER is ${given}, and the session is of the publisher ${publisher}`,
    sessionHint(given, context),
  )
}

/** How to get a session of the publisher that is meant. Without the variable, a job would make its catalog for another one. */
function sessionHint(given: string, { host, globals }: Context): string {
  const ignored = ignoredText(globals, host.env)
  if (ignored !== undefined) return `${ignored}; to use them, remove the first: env -u VATOM_CONTEXT vatom …`
  return pipelineVariable(host.env) === undefined
    ? `use a session of ${given}, or remove the variable: env -u VATOM_PUBLISHER vatom …`
    : `use a session of ${given}; each publisher needs a secret of its own in the pipeline: vatom help pipelines`
}

/** The code of a failure for users who are no administrator of a publisher. */
export const notPublisher = 'not_publisher'

/** The signed-in publisher's domain name. Throws `not_publisher` for any other user. */
export async function signedInPublisher(context: Context): Promise<string> {
  const { client, publisher, place } = await context.connect()
  const found = publisher ?? (await client.getProfile({})).system_properties.pub_fqdn
  if (found) return sameAsGiven(found, context)
  const target = await context.target()
  const variable = target.kind === 'network' ? tokenVariable(target, context.host.env) : undefined
  throw variable === undefined
    ? new Failure(notPublisher, exit.session, `You are not an administrator of a publisher on ${place}`, {
        hint: `sign in as one: ${target.name === undefined ? 'vatom login' : loginAs(target.name)}; or use another context: vatom context list, then vatom context use NAME`,
      })
    : new Failure(notPublisher, exit.session, `The user of ${variable} is not an administrator of a publisher`, {
        hint: 'use the session of one instead: where one is signed in, vatom auth token --refresh --yes prints a token for VATOM_REFRESH_TOKEN',
      })
}

/** Throws a usage error if VATOM_PUBLISHER is another publisher than that of the session; without it, nothing is asked. */
export async function checkPublisher(context: Context): Promise<void> {
  if (givenPublisher(context) !== undefined) await signedInPublisher(context)
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
  const known = await checkedPublisher(context)
  if (known !== undefined) return { name: known, isConfirmed: false }
  try {
    return { name: await signedInPublisher(context), isConfirmed: true }
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
  const publisher = (await checkedPublisher(context)) ?? (await signedInPublisher(context))
  return expandPublisher(name, publisher)
}
