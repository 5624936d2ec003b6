import { signal } from '@preact/signals'
import { type ConsoleRequest, consolePaths } from '../../../contract/console.ts'
import { followStream } from '../../event-stream.ts'
import { LocalFailure, local } from './local.ts'
import { loadSession, session } from './session.ts'

/** The requests that the page holds at most. */
const most = 5000

/** The latest requests, oldest first. */
export const requests = signal<readonly ConsoleRequest[]>([])
/** Whether requests are shown as they come; `lost` while there is no connection. */
export const feed = signal<'live' | 'paused' | 'lost'>('live')

/** How often the files of the catalog have changed. */
export const catalogChanges = signal(0)

let unfollow: (() => void) | undefined
let last = 0
let isLoading = false
let latest = 0

/** Follows the requests of the service until the session ends. */
export function followRequests(): void {
  unfollow?.()
  unfollow = followStream(consolePaths.events, {
    receive: (type, data) => {
      if (type === 'catalog') catalogChanges.value++
      else reach(Number(data))
    },
    lost: (isRefused) => {
      if (feed.value === 'live') feed.value = 'lost'
      // The session may have ended with the service.
      if (isRefused) void loadSession()
    },
  })
}

/** Loads the requests up to the latest, of which the service has sent the number. */
function reach(number: number): void {
  if (feed.value === 'lost') feed.value = 'live'
  latest = number
  // A service that was started again counts from the beginning.
  if (latest < last) forget()
  void load()
}

/** Stops showing new requests, or shows those that came meanwhile. */
export function pauseRequests(isPaused: boolean): void {
  feed.value = isPaused ? 'paused' : 'live'
  void load()
}

/** Removes all requests from the journal of the service. */
export async function clearRequests(): Promise<void> {
  await local('DELETE', '/__vatom/journal')
  requests.value = []
}

function forget(): void {
  last = 0
  requests.value = []
}

async function load(): Promise<void> {
  if (isLoading || feed.value === 'paused' || last === latest) return
  isLoading = true
  // What comes while these are loaded is not among them.
  const asked = latest
  try {
    const added = await local<ConsoleRequest[]>('GET', `${consolePaths.requests}?after=${last}`)
    const known = last
    last = Math.max(asked, added.at(-1)?.seq ?? 0)
    const others = added.filter(({ seq }) => seq > known)
    if (others.length > 0) requests.value = [...requests.value, ...others].slice(-most)
  } catch (error) {
    feed.value = 'lost'
    if (error instanceof LocalFailure && error.status === 403) session.value = 'out'
    return
  } finally {
    isLoading = false
  }
  if (last < latest) void load()
}
