import { batch, type Signal, signal } from '@preact/signals'
import { limits } from '../../../contract/limits.ts'
import { at } from '../../../contract/schema/path.ts'
import { apiAs } from '../service/api.ts'
import { followEvents } from '../service/live.ts'
import { currentSession } from '../service/session.ts'
import { sentenceOf } from '../shell/problem.tsx'
import { type Found, foundIn, propertyText } from '../vatom/found.ts'

/** What a user has in a folder, or outside of folders. */
export interface Inventory {
  /** Newest first. */
  readonly vatoms: Signal<readonly Found[]>
  readonly isLoading: Signal<boolean>
  readonly problem: Signal<string | undefined>
  readonly close: () => void
}

/** Loads the vAtoms of a user in a folder, `.` for the root, page by page, and follows their changes. */
export function openInventory(user: string, folder: string): Inventory {
  const { client } = apiAs(user, currentSession().app_id)
  const vatoms = signal<readonly Found[]>([])
  const isLoading = signal(true)
  const problem = signal<string | undefined>(undefined)
  let isOver = false

  async function load(): Promise<void> {
    isLoading.value = true
    const loaded: Found[] = []
    for (let page = 1; !isOver; page++) {
      const found = foundIn(await client.getInventory({ body: { parent_id: folder, page, limit: limits.inventory } }))
      loaded.push(...found)
      if (loaded.length > vatoms.value.length) vatoms.value = [...loaded]
      if (found.length < limits.inventory) break
    }
    batch(() => {
      vatoms.value = loaded
      problem.value = undefined
      isLoading.value = false
    })
  }
  const attempt = (work: Promise<void>) =>
    void work.catch((error: unknown) => {
      batch(() => {
        problem.value = sentenceOf(error)
        isLoading.value = false
      })
    })

  /** Reads vAtoms that have changed, and shows them where they are now. */
  async function refresh(ids: readonly string[]): Promise<void> {
    const found = foundIn(await client.getVatoms({ body: { ids: [...ids] } }))
    const here = found.filter((one) => propertyText(one, 'owner') === user && propertyText(one, 'parent_id') === folder)
    const byId = new Map(here.map((one) => [one.id, one]))
    const known = vatoms.value.flatMap((one) => (ids.includes(one.id) ? (byId.get(one.id) ?? []) : one))
    const added = here.filter(({ id }) => !vatoms.value.some((one) => one.id === id))
    vatoms.value = [...added, ...known]
  }

  const changed = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const events = followEvents(user, {
    receive: ({ payload }) => {
      const id = at(payload, 'id')
      if (typeof id !== 'string') return
      changed.add(id)
      timer ??= setTimeout(() => {
        timer = undefined
        const ids = [...changed].slice(0, limits.ids)
        changed.clear()
        attempt(refresh(ids))
      }, 100)
    },
    again: () => attempt(load()),
  })
  attempt(load())
  return {
    vatoms,
    isLoading,
    problem,
    close: () => {
      isOver = true
      clearTimeout(timer)
      events.close()
    },
  }
}
