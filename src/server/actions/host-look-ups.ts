import { promises } from 'node:dns'
import { isIP } from 'node:net'
import { ApiError } from '../../contract/api/errors.ts'
import { isLoopback } from '../../contract/api/loopback.ts'
import { limits } from '../../contract/limits.ts'
import { finding, type Reach, reachOf } from '../../this-machine.ts'
import { clearTimer, setTimer } from '../store/next-turn.ts'

/** A look-up that is under way. */
class LookUp {
  /** Whether it takes so long that no other one waits for its end. */
  isSlow = false
  /** Resolves once it has ended, or is slow. */
  readonly awaited: Promise<void>

  constructor(
    readonly publisher: string,
    readonly reach: Promise<Reach>,
  ) {
    this.awaited = new Promise((resolve) => {
      const end = () => {
        clearTimer(timer)
        resolve()
      }
      const timer = setTimer(() => {
        this.isSlow = true
        resolve()
      }, limits.handlerLookUpWait)
      reach.then(end, end)
    })
  }
}

/**
 * The look-ups of hosts at which handlers are called, each once at a time for all who call there. Nothing ends one before the
 * name server answers, and the system carries out few at once: any number of them would keep all others waiting.
 */
export class HostLookUps {
  readonly #underWay = new Map<string, LookUp>()

  /**
   * How a host is reached. Throws `busy` where others are in the way that take long, and else what the look-up throws. Keeps
   * nothing but its arguments while it waits.
   */
  async reach(host: string, publisher: string): Promise<Reach> {
    if (isLoopback(host) || isIP(host) !== 0) return reachOf(host)
    const shared = this.#underWay.get(host)
    if (shared) return await shared.reach
    const inTheWay = this.#inTheWayOf(publisher)
    if (inTheWay.length === 0) return await this.#begin(host, publisher).reach
    const quick = inTheWay.filter(({ isSlow }) => !isSlow)
    if (quick.length === 0) throw busy(host)
    await Promise.race(quick.map(({ awaited }) => awaited))
    return await this.reach(host, publisher)
  }

  /** Those of which one has to end before another one of a publisher begins. */
  #inTheWayOf(publisher: string): readonly LookUp[] {
    const all = [...this.#underWay.values()]
    const own = all.filter((one) => one.publisher === publisher)
    if (own.length >= limits.handlerLookUpsOfPublisher) return own
    return all.length >= limits.handlerLookUps ? all : []
  }

  #begin(host: string, publisher: string): LookUp {
    const reach = lookedUp(host).finally(() => this.#underWay.delete(host))
    const lookUp = new LookUp(publisher, reach)
    this.#underWay.set(host, lookUp)
    return lookUp
  }
}

const lookedUp = async (host: string): Promise<Reach> => ({
  lookup: finding(await promises.lookup(host, { all: true })),
})

const busy = (host: string) =>
  new ApiError(
    'busy',
    `${host} cannot be looked up now: the name server that the service asks has not answered for hosts of other handlers`,
  )
