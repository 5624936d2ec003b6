import { batch, type Signal, signal } from '@preact/signals'
import { followEvents, type LiveEvent } from '../service/live.ts'

/** A message that a user received. */
export interface Message extends LiveEvent {
  readonly seq: number
  readonly when: Date
}

/** The messages that the page holds at most. */
const most = 10_000

/** All of the map. */
const world = { top_left: { lat: 90, lon: -180 }, bottom_right: { lat: -90, lon: 180 } }
/** A single point, where nothing lies. */
const nowhere = { top_left: { lat: 90, lon: 0 }, bottom_right: { lat: 90, lon: 0 } }

/** The messages to a user, as they come. */
export interface Feed {
  /** Oldest first. */
  readonly messages: Signal<readonly Message[]>
  /** Whether there is a connection, or why not. */
  readonly state: Signal<{ readonly isOpen: boolean; readonly reason: string }>
  readonly isPaused: Signal<boolean>
  /** Stops showing messages, or shows those that came meanwhile. */
  readonly pause: (isPaused: boolean) => void
  /** Receives the events of vAtoms of others on the map, or not. */
  readonly watchMap: (isWatched: boolean) => void
  readonly clear: () => void
  readonly close: () => void
}

let seq = 0

/** Connects as a user. */
export function openFeed(user: string): Feed {
  const messages = signal<readonly Message[]>([])
  const state = signal({ isOpen: false, reason: '' })
  const isPaused = signal(false)
  let waiting: Message[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Many that come at once are drawn once. */
  const show = () => {
    timer = undefined
    if (isPaused.value || waiting.length === 0) return
    messages.value = [...messages.value, ...waiting].slice(-most)
    waiting = []
  }
  const { watch, close } = followEvents(user, {
    receive: (event) => {
      waiting.push({ ...event, seq: ++seq, when: new Date() })
      if (waiting.length > most) waiting = waiting.slice(-most)
      timer ??= setTimeout(show, 50)
    },
    changed: (now) => {
      state.value = now === 'open' ? { isOpen: true, reason: '' } : { isOpen: false, reason: now.reason }
    },
  })
  return {
    messages,
    state,
    isPaused,
    pause: (to) => {
      isPaused.value = to
      show()
    },
    watchMap: (isWatched) => watch(isWatched ? world : nowhere),
    clear: () =>
      batch(() => {
        waiting = []
        messages.value = []
      }),
    close: () => {
      clearTimeout(timer)
      close()
    },
  }
}
