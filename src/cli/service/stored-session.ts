import type { Credentials } from './saved.ts'
import { type NetworkTarget, normalized } from './target.ts'

/** The tokens of a context, of which only the service that issued them gets any. */
export type StoredSession = Credentials[string]
export type Issuer = NonNullable<StoredSession['service']>
type Saved = Pick<NetworkTarget, 'name' | 'baseUrl' | 'appId'>

/** The session of a context; an empty one where there is none that the service of the context issued. */
export function sessionAmong(all: Credentials, target: Saved): StoredSession {
  return otherIssuer(all, target) ? {} : storedFor(all, target)
}

/** The service that issued the session stored for a context, if the context has another now. Of one that does not say it, the context's counts. */
export function otherIssuer(all: Credentials, target: Saved): Issuer | undefined {
  const { service } = storedFor(all, target)
  const own = issuerOf(target)
  const isOwn = service === undefined || (service.base_url === own.base_url && service.app_id === own.app_id)
  return isOwn ? undefined : service
}

/** A service, as the sessions that it issues name it. */
export const issuerOf = ({ baseUrl, appId }: Saved): Issuer => ({ base_url: normalized(baseUrl), app_id: appId })

const storedFor = (all: Credentials, { name }: Saved): StoredSession =>
  (name === undefined ? undefined : all[name]) ?? {}
