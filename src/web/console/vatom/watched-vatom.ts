import { type Signal, signal } from '@preact/signals'
import type { Warning } from '../../../contract/api/warnings.ts'
import { at } from '../../../contract/schema/path.ts'
import { apiAs } from '../service/api.ts'
import { followEvents } from '../service/live.ts'
import { readPeople } from '../service/people.ts'
import { perform, predict } from '../service/perform.ts'
import { currentSession } from '../service/session.ts'
import { sentenceOf } from '../shell/problem.tsx'
import { type Found, foundIn, isFolder } from './found.ts'
import { type Change, changesBetween } from './leaves.ts'

/** A time at which a vAtom changed while it was watched. */
export interface Moment {
  readonly when: Date
  /** What was done; empty where that is not known. */
  readonly what: string
  readonly changes: readonly Change[]
}

/** What was done at the moment at which a vAtom was trashed. */
export const trashing = 'Trash'

/** A vAtom as a user sees it. */
export interface WatchedVatom {
  /** Undefined before it is loaded; `missing` if the user cannot see it. */
  readonly found: Signal<Found | 'missing' | undefined>
  /** The records of what is in it. */
  readonly contents: Signal<readonly unknown[]>
  /** Whether the user no longer sees it: it is shown as it was. */
  readonly isGone: Signal<boolean>
  readonly problem: Signal<string | undefined>
  /** Newest first. */
  readonly moments: Signal<readonly Moment[]>
  /** Performs an action with inputs; answers its output. Throws what the client throws, and what the action failed with. */
  readonly act: (action: string, inputs: Readonly<Record<string, unknown>>) => Promise<string>
  /** What the service would warn of if the action were performed. Throws what it would refuse it with, as far as that is known. */
  readonly predict: (action: string, inputs: Readonly<Record<string, unknown>>) => Promise<readonly Warning[]>
  readonly trash: () => Promise<void>
  readonly close: () => void
}

/** Loads a vAtom, and follows its changes. */
export function watchVatom(user: string, id: string): WatchedVatom {
  const { client } = apiAs(user, currentSession().app_id)
  const found = signal<Found | 'missing' | undefined>(undefined)
  const contents = signal<readonly unknown[]>([])
  const isGone = signal(false)
  const problem = signal<string | undefined>(undefined)
  const moments = signal<readonly Moment[]>([])
  let doing = ''
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    const page = await client.getVatoms({ body: { ids: [id] } })
    const [now] = foundIn(page)
    const before = found.value
    const changes = now && typeof before === 'object' ? changesBetween(before.vatom, now.vatom) : []
    const isLost = !now && typeof before === 'object' && !isGone.value
    if (changes.length > 0 || isLost) moments.value = [{ when: new Date(), what: doing, changes }, ...moments.value]
    isGone.value = !now && typeof before === 'object'
    // Who has it now may be new.
    if (isLost) readPeople()
    problem.value = undefined
    if (now && isFolder(now)) contents.value = (await client.getInventory({ body: { parent_id: id } })).vatoms
    found.value = now ?? (typeof before === 'object' ? before : 'missing')
  }
  /** One after the other: an older answer never comes after a newer one. */
  const reload = (): Promise<void> => {
    const next = (loading ?? Promise.resolve()).then(load).catch((error: unknown) => {
      problem.value = sentenceOf(error)
    })
    loading = next
    return next
  }
  const { close } = followEvents(user, {
    receive: ({ payload }) => {
      if (at(payload, 'id') === id || at(payload, 'parent_id') === id) void reload()
    },
    again: () => void reload(),
  })
  void reload()

  const during = async <T>(what: string, work: Promise<T>): Promise<T> => {
    doing = what
    try {
      return await work
    } finally {
      await reload()
      doing = ''
    }
  }
  return {
    found,
    contents,
    isGone,
    problem,
    moments,
    act: (action, inputs) => during(action, perform(user, action, id, inputs)),
    predict: (action, inputs) => predict(user, action, id, inputs),
    trash: async () => void (await during(trashing, client.trashVatom({ body: { 'this.id': id } }))),
    close,
  }
}
