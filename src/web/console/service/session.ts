import { signal } from '@preact/signals'
import { type ConsoleSession, type ConsoleVisit, consolePaths } from '../../../contract/console.ts'
import { forgetSession, useLink } from '../../page-session.ts'
import { LocalFailure, local } from './local.ts'

/** Who is signed in; `out` for nobody, `unknown` until the service has answered. */
export const session = signal<ConsoleSession | 'unknown' | 'out' | 'unreachable'>('unknown')

/** Tells other tabs that the session of this browser has ended. */
const tabs = new BroadcastChannel('vatom console')
tabs.onmessage = () => {
  session.value = 'out'
}

/** The application id of the service; empty until it has answered. */
let appId = ''
export const knownAppId = (): string => appId

/** The session of a page that is signed in. Throws where there is none: screens are shown only with one. */
export function currentSession(): ConsoleSession {
  const { value } = session
  if (typeof value === 'string') throw new Error('nobody is signed in')
  return value
}

/** Asks the service who is signed in. */
export async function loadSession(): Promise<void> {
  try {
    await useLink(consolePaths.session)
    const visit = await local<ConsoleVisit>('GET', consolePaths.session)
    appId = visit.app_id
    session.value = visit.session ?? 'out'
  } catch (error) {
    session.value = error instanceof LocalFailure && error.status === undefined ? 'unreachable' : 'out'
  }
}

/** Signs a publisher in. Throws `LocalFailure` or what the client throws. */
export async function beginSession(email: string, password: string): Promise<void> {
  const { signIn } = await import('./api.ts')
  const accessToken = await signIn(email, password, appId)
  session.value = await local<ConsoleSession>('POST', consolePaths.session, undefined, {
    authorization: `Bearer ${accessToken}`,
    'app-id': appId,
  })
}

/** Ends the session of this browser, in all its tabs. */
export async function endSession(): Promise<void> {
  await local('DELETE', consolePaths.session)
  forgetSession()
  session.value = 'out'
  tabs.postMessage('ended')
}
