import { ApiError } from '../../contract/api/errors.ts'
import { awaitedEnd } from './awaited-end.ts'
import type { Portions } from './slices.ts'
import type { Store } from './store.ts'

/** The times between which all contents of a database are replaced. */
export class Eras {
  #current = awaitedEnd()

  /** The current one: aborted at its end. */
  get current(): AbortSignal {
    return this.#current.signal
  }

  end(): void {
    this.#current.abort()
    this.#current = awaitedEnd()
  }
}

/** The store for those who begin now: once all contents are replaced, it refuses what they write. Throws `replaced`. */
export function storeOfEra(store: Store): Store {
  const era = store.era()
  const check = () => {
    if (era.aborted) throw new ApiError('replaced')
  }
  return {
    ...store,
    era: () => era,
    write: (work, line) =>
      store.write(() => {
        check()
        return work()
      }, line),
    writeInPortions: (rows, work, line) => store.writeInPortions(rows, (tables) => checked(work(tables), check), line),
    writeInSteps: (rows, work, line) =>
      store.writeInSteps(
        rows,
        (tables) => {
          check()
          return work(tables)
        },
        line,
      ),
  }
}

/** Portions before each of which something is checked. */
function* checked<T>(portions: Portions<T>, check: () => void): Portions<T> {
  for (;;) {
    check()
    const { done, value } = portions.next()
    if (done) return value
    yield value
  }
}
