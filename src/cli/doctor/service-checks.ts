import type { ServiceError } from '../../client/errors.ts'
import { rawError } from '../../client/raw.ts'
import { endOf } from '../../client/session.ts'
import { isUnavailable } from '../../client/statuses.ts'
import { defaults } from '../../contract/defaults.ts'
import { limits } from '../../contract/limits.ts'
import { isObject } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { Context } from '../context.ts'
import { isLocalThere, localDatabase } from '../dirs.ts'
import { fromService, wrongAddress } from '../failure/translate.ts'
import { openTransport } from '../service/connect.ts'
import { sameAsGiven } from '../service/publisher.ts'
import { endingSoon, refreshTokenOf, spanText, timeLeft } from '../service/session-end.ts'
import { ignoredVariables, unchosen } from '../service/target.ts'
import { nameOf } from '../service/user-tokens.ts'
import { type Check, type Finding, fail, ok, warn } from './check.ts'

/** Seconds to wait for an answer of the service. */
const maxWait = 5
/** Seconds by which clocks may differ: an access token is valid for 300. */
const maxSkew = 60

export const context: Check = async ({ target, host, globals }) => {
  const chosen = await target()
  const refusal = unchosen(chosen, host.env)
  if (refusal) return fail(refusal.message, refusal.hint)
  const ignored = ignoredVariables(globals, host.env)
  if (ignored.length > 0)
    return warn(`${chosen.name}, from VATOM_CONTEXT`, `set as well, and not used: ${ignored.join(', ')}`)
  if (chosen.kind === 'local') return ok(chosen.chosen ? 'local' : 'local, because no other context was chosen')
  return ok(
    chosen.name === undefined ? `${chosen.baseUrl}, from ${chosen.addressFrom}` : `${chosen.name} (${chosen.baseUrl})`,
  )
}

/** Whether the service answers, accepts the App-Id, and has the same time. */
export const service: Check = async (all) => {
  const target = await all.target()
  if (target.kind === 'local') return localService(all)
  const { send, close } = await openTransport(target, withShortTimeout(all))
  try {
    const started = performance.now()
    const answer = await send({ method: 'GET', path: '/v1/user', headers: { 'app-id': target.appId } })
    const took = `answered in ${Math.round(performance.now() - started)} ms`
    const refusal = rawError(answer)
    if (refusal && refusesAll(refusal)) {
      const { message, hint } = fromService(refusal)
      return fail(`${target.baseUrl} ${took}: ${message}`, hint)
    }
    if (!isObject(parseJson(answer.body)))
      return fail(`${target.baseUrl} ${took}: ${answer.status}, and no answer of a vAtom service`, wrongAddress)
    return skewed(answer.headers.date, all.host.now(), took)
  } finally {
    await close()
  }
}

/** Whether any request is refused as this one; what refuses one without a session alone is a service that can be used. */
const refusesAll = ({ status, kind }: ServiceError): boolean =>
  isUnavailable(status) || status >= 500 || kind === 'appId' || kind === 'hostRefused'

function skewed(date: string | undefined, now: Date, took: string): Finding {
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return ok(`${took}; it does not send its time`)
  const skew = Math.round((now.getTime() - theirs) / 1000)
  if (Math.abs(skew) <= maxSkew) return ok(`${took}; clocks agree`)
  const skewText = `this machine's clock is ${spanText(Math.abs(skew) * 1000)} ${skew > 0 ? 'ahead' : 'behind'}`
  return warn(
    `${took}; ${skewText}`,
    'set the clock: sessions end too early or too late; that of vatom serve, if a test moved it: DELETE /__vatom/clock',
  )
}

const localService = ({ dirs }: Context): Finding => {
  const file = localDatabase(dirs)
  return ok(isLocalThere(dirs) ? file : `${file} is created by the first command that needs it`)
}

/** Whether a call with the session succeeds, whose it is, and how long the session is valid. */
export const session: Check = async (all, profile) => {
  const target = await all.target()
  if (target.kind === 'local') return ok('signed in; the local context needs no login')
  const { session: own, client } = await all.connect()
  const user = await profile()
  const access = lifetime(await own.accessToken(), all.host.now())
  const refresh = lifetime(await refreshTokenOf(target, all), all.host.now())
  const ends = [access && `access token ${access}`, refresh && `refresh token ${refresh}`].filter(Boolean)
  const found = [`signed in as ${(await nameOf(user, client)) || user.id}`, ...ends].join('; ')
  const soon = await endingSoon(target, all)
  return soon ? warn(found, soon.hint) : ok(found)
}

/** Whether the signed-in user may publish. */
export const publisher: Check = async (all, profile) => {
  const target = await all.target()
  if (target.kind === 'local' && !isLocalThere(all.dirs))
    return ok(`${await sameAsGiven(defaults.publisher, all)}, unless vatom serve names another`)
  const { pub_fqdn, is_admin } = (await profile()).system_properties
  const remedy = 'to publish, sign in as an administrator, or ask the service’s operator to make this user one'
  if (!pub_fqdn) return fail('you are not a publisher', remedy)
  await sameAsGiven(pub_fqdn, all)
  return is_admin ? ok(pub_fqdn) : fail(`you are not an administrator of ${pub_fqdn}`, remedy)
}

/** Whether the service checks plans by dry runs, and stores which catalog owns what. */
export const plans: Check = async (all) => {
  if ((await all.target()).kind === 'local') return ok(`${checkedPlans}; ${storedOwners}`)
  const [connection, { storesLabels }, { whyNoDryRun }] = await Promise.all([
    all.connect(),
    import('../catalog/owners.ts'),
    import('../dry-run/connection.ts'),
  ])
  const isChecked = (await connection.dryRun(() => {})) !== undefined
  const isStored = await storesLabels(connection)
  const owners = isStored ? storedOwners : 'it does not store which catalog owns what: each machine records it'
  if (isChecked && isStored) return ok(`${checkedPlans}; ${owners}`)
  return warn(
    `${isChecked ? checkedPlans : `not checked: ${whyNoDryRun(connection)}`}; ${owners}`,
    isChecked ? machineOnly : gatewayToo,
  )
}

/** How a service that offers dry runs checks plans; its size is not known here. */
const checkedPlans = `the service checks all changes of a plan before it is applied, or the first ${limits.dryRunRepeated + 1} where its database has more than ${limits.dryRunCopy / 2 ** 20} MiB`
const storedOwners = 'it stores which catalog owns what'
const machineOnly = 'keep the data directory of the machine that applies: VATOM_DATA_DIR'
const gatewayToo = `if it is a vatom serve, let Vatom-Dry-Run pass in requests and answers; else ${machineOnly}`

/** How long a token is still valid; undefined where it does not say so. */
function lifetime(token: string | undefined, now: Date): string | undefined {
  const end = endOf(token)
  if (end === undefined) return undefined
  const left = timeLeft(end, now)
  return left === undefined ? 'ends within a minute' : `valid for ${left}`
}

const withShortTimeout = ({ host, globals, output }: Context) => ({
  host,
  output,
  globals: { ...globals, timeout: Math.min(globals.timeout, maxWait) },
})
