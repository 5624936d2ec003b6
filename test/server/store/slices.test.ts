import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { AtOnceTime } from '../../../src/server/store/at-once-time.ts'
import { processorTime, Slices, type Steps } from '../../../src/server/store/slices.ts'

/** Work whose steps take some milliseconds each, by a clock of its own. */
function timed() {
  let now = 0
  const log: string[] = []
  const steps = function* (name: string, count: number, milliseconds: number): Steps<string> {
    for (let step = 1; step <= count; step++) {
      now += milliseconds
      log.push(`${name}${step}`)
      if (step < count) yield
    }
    return name
  }
  return { slices: new Slices(() => now), steps, log }
}

/** Resolves after so many turns of the event loop. */
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('work that is soon done is done at once', async () => {
  const { slices, steps, log } = timed()
  const done = slices.run(() => steps('a', 3, 1))
  expect(log).toEqual(['a1', 'a2', 'a3'])
  expect(await done).toBe('a')
})

test('long work gives others a turn after each ten milliseconds, and takes turns with other work', async () => {
  const { slices, steps, log } = timed()
  const all = Promise.all([
    slices.run(() => steps('a', 4, 6)),
    slices.run(() => steps('b', 2, 12)),
    slices.run(() => steps('c', 1, 1)),
  ])
  expect(log).toEqual(['a1', 'a2'])
  await turns(1)
  expect(log.length).toBeLessThanOrEqual(4)
  expect(await all).toEqual(['a', 'b', 'c'])
  expect(log).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'])
})

test('one turn of the event loop has no more than one piece of work', async () => {
  const { slices, steps, log } = timed()
  const all = Promise.all(Array.from({ length: 5 }, () => slices.run(() => steps('a', 2, limits.searchTurn))))
  const counts: number[] = []
  for (let turn = 0; turn < 12; turn++) {
    counts.push(log.length)
    await turns(1)
  }
  await all
  expect(counts.map((count, turn) => count - (counts[turn - 1] ?? 0)).every((added) => added <= 1)).toBe(true)
  expect(log).toHaveLength(10)
})

test('work that takes too long is refused', async () => {
  const { slices, steps } = timed()
  await expect(slices.run(() => steps('a', 1000, limits.searchTime / 100))).rejects.toMatchObject({
    kind: 'busy',
    status: 503,
    message: expect.stringContaining('the search takes too long: name a template'),
  })
})

const asker = (id: string, { address = '::1', isGone = (): boolean => false } = {}) => ({
  user: { id, seeded: 0 },
  address,
  isGone,
})
const refused = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === 'rejected').length

test('users take turns, however much work one of them has, and so does the work of each', async () => {
  const { slices, steps, log } = timed()
  const ask = (name: string, user: string, count: number) =>
    slices.run(() => steps(name, count, limits.searchTurn), asker(user))
  const many = ['a', 'b', 'c', 'd'].map((name) => ask(name, 'eve', 3))
  const one = ask('z', 'ann', 3)
  await Promise.all([...many, one])
  expect(log.join(' ')).toBe('a1 a2 z1 b1 z2 a3 z3 b2 c1 b3 c2 d1 c3 d2 d3')
})

test('new work waits only for other new work, and that of an address only for its share of the time', async () => {
  const { slices, steps, log } = timed()
  const ask = (name: string, count: number, address?: string) =>
    slices.run(() => steps(name, count, limits.searchTurn), asker(name, { address }))
  const many = Array.from({ length: 20 }, (_, at) => ask(`eve${at} `, 12))
  while (!log.includes('eve19 2')) await turns(1)
  const turnsUntil = async (done: Promise<string>) => {
    const before = log.length
    await done
    return log.length - before
  }
  expect(await turnsUntil(ask('ann', 1))).toBeLessThan(3)
  const most = [...many, ...Array.from({ length: 40 }, (_, at) => ask(`new${at} `, 12))]
  expect(await turnsUntil(ask('bob', 1, '10.0.0.1'))).toBeLessThan(4)
  await Promise.all(most)
})

/** Work that counts how much of it has begun and has not ended, and remembers so many things at each step. */
function remembering() {
  const counts = { now: 0, most: 0, large: 0, mostLarge: 0, steps: 0 }
  let now = 0
  const steps = function* (remembered: readonly number[]): Steps<string> {
    counts.most = Math.max(counts.most, ++counts.now)
    let isLarge = false
    try {
      for (const [at, count] of remembered.entries()) {
        now += limits.searchTurn
        counts.steps++
        if (at === 1) {
          isLarge = true
          counts.mostLarge = Math.max(counts.mostLarge, ++counts.large)
        }
        yield count
      }
      return `took ${remembered.length} steps`
    } finally {
      counts.now--
      if (isLarge) counts.large--
    }
  }
  return { slices: new Slices(() => now), steps, counts }
}
const much = limits.searchRemembers + 1

test('only few searches of a user are begun at a time', async () => {
  const { slices, steps, counts } = remembering()
  const many = Array.from({ length: 30 }, () => slices.run(() => steps([1, 1, 1]), asker('eve')))
  expect(slices.waiting).toBe(30)
  await Promise.all(many)
  expect(counts.most).toBe(limits.searchesBegun)
  expect(slices.waiting).toBe(0)
})

test('few searches that remember much are continued at a time, and all others meanwhile', async () => {
  const { slices, steps, counts } = remembering()
  const ended: string[] = []
  const ask = async (user: string, remembered: readonly number[]) => {
    await slices.run(() => steps(remembered), asker(user))
    ended.push(user)
  }
  const eves = Array.from({ length: 9 }, (_, at) =>
    ask(
      `eve ${at % 3}`,
      Array.from({ length: 20 }, () => much),
    ),
  )
  await turns(20)
  await Promise.all([ask('ann', [limits.searchRemembers]), ...eves])
  expect(ended[0]).toBe('ann')
  expect(ended).toHaveLength(10)
  expect(counts.mostLarge).toBeLessThanOrEqual(2 * limits.searchesLarge)
})

test('those of an address wait for few of another one, however many users there are', async () => {
  const { slices, steps } = remembering()
  const ended: string[] = []
  const ask = async (user: string, address: string) => {
    await slices.run(() => steps(Array.from({ length: 5 }, () => much)), asker(user, { address }))
    ended.push(user)
  }
  const many = Array.from({ length: 20 }, (_, at) => ask(`eve ${at}`, '192.0.2.1'))
  await turns(20)
  await Promise.all([ask('ann', '192.0.2.2'), ...many])
  expect(ended.indexOf('ann')).toBeLessThan(5)
})

/** Users at addresses of their own, who ask for as much as one may, and others who ask beside them. */
function withLongOnes(users: readonly string[]) {
  const { slices, steps, counts } = remembering()
  const ended: string[] = []
  const ask = async (user: string, count: number, seeded: 0 | 1 = 0) => {
    const who = { ...asker(user, { address: `192.0.2.1 of ${user}` }), user: { id: user, seeded } }
    await slices.run(() => steps(Array.from({ length: count }, () => much)), who)
    ended.push(user)
  }
  const most = limits.searchTime / limits.searchTurn - 1
  return { ask, ended, counts, most, long: users.map((user) => ask(user, most)) }
}

test('a search that remembers much does not wait for one that takes long, and that has its answer all the same', async () => {
  const { ask, ended, counts, most, long } = withLongOnes(['eve', 'bob'])
  while (counts.steps < most) await turns(1)
  const before = counts.steps
  await ask('ann', 3)
  expect(counts.steps - before).toBeLessThan(20)
  await Promise.all(long)
  expect(ended).toEqual(['ann', 'eve', 'bob'])
  expect([counts.now, counts.mostLarge]).toEqual([0, 2 * limits.searchesLarge])
})

test('one search of a user that remembers much is continued at a time, however long it takes', async () => {
  const { counts, long } = withLongOnes(['eve', 'eve', 'eve'])
  await Promise.all(long)
  expect(counts.mostLarge).toBe(1)
})

test('one that takes long goes on in a place for those if that is free, and is not begun again', async () => {
  const { counts, most, long } = withLongOnes(['eve', 'bob'])
  await Promise.all(long)
  // Of each, the steps until it remembers much are carried out twice.
  expect(counts.steps).toBe(2 * (most + 1))
})

test('the map does not wait for other searches that remember much, and no other one for the map', async () => {
  const { slices, steps, counts } = remembering()
  const ended: string[] = []
  const ask = async (user: string, how: 'run' | 'runMap', count: number) => {
    const who = asker(user, { address: `192.0.2.1 of ${user}` })
    await slices[how](() => steps(Array.from({ length: count }, () => much)), who)
    ended.push(user)
  }
  const others = Array.from({ length: 6 }, (_, at) => ask(`eve ${at}`, 'run', 200))
  while (counts.mostLarge < 1) await turns(1)
  await Promise.all([...others, ask('ann', 'runMap', 90), ask('bob', 'runMap', 90)])
  expect(ended.slice(0, 2)).toEqual(['ann', 'bob'])
  expect(counts.mostLarge).toBe(3 * limits.searchesLarge)
  expect(slices.waiting).toBe(0)
})

test('of those that wait because they remember much, every second one is of a publisher of the service', async () => {
  const users = ['eve', 'bob', 'joe', 'zoe']
  const { ask, ended, long } = withLongOnes([])
  const all = [...users.map((user) => ask(user, 3)), ask('publisher', 3, 1)]
  await Promise.all([...all, ...long])
  expect(ended.indexOf('publisher')).toBeLessThan(2)
})

test('who had a place for what remembers much for long is not the first to have it again, for some seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const slices = new Slices(() => performance.now())
  const ended: string[] = []
  const ask = async (user: string, milliseconds: number) => {
    const steps = function* (): Steps<void> {
      for (let took = 0; took < milliseconds; took += limits.searchTurn) {
        yield much
        vi.advanceTimersByTime(limits.searchTurn)
      }
    }
    await slices.run(steps, asker(user, { address: `192.0.2.1 of ${user}` }))
    ended.push(user)
  }
  await ask('eve', 400)
  vi.advanceTimersByTime(5_000)
  await ask('bob', 100)
  await Promise.all([ask('ann', 100), ask('eve', 10), ask('bob', 10)])
  expect(ended.slice(2)).toEqual(['ann', 'bob', 'eve'])
})

test('a search that waits because it remembers much has forgotten it', async () => {
  const { slices, steps, counts } = remembering()
  const users = Array.from({ length: 20 }, (_, at) => `eve ${at}`)
  const all = users.map((user) => slices.run(() => steps([much, much, much]), asker(user)))
  await turns(20)
  expect(slices.waiting).toBeGreaterThan(10)
  expect(counts.now).toBeLessThanOrEqual(2 * limits.searchesLarge)
  expect(await Promise.all(all)).toEqual(users.map(() => 'took 3 steps'))
})

test('time in which a search waits for its place does not count, and what it took before that does', async () => {
  const { slices, steps } = remembering()
  const half = Array.from({ length: limits.searchTime / limits.searchTurn / 2 }, () => much)
  const done = await Promise.all(['ann', 'bob', 'eve'].map((user) => slices.run(() => steps(half), asker(user))))
  expect(done).toHaveLength(3)
  await expect(slices.run(() => steps([...half, ...half, much, much]), asker('eve'))).rejects.toMatchObject({
    kind: 'busy',
  })
})

test('more work of a user than may wait is refused, and none of others', async () => {
  const { slices, steps } = timed()
  const ask = (user: string, count: number) =>
    Array.from({ length: count }, () => slices.run(() => steps('a', 1, limits.searchTurn), asker(user)))
  const eve = ask('eve', limits.searchesBegun + limits.searchesOfUser + 2)
  const ann = ask('ann', limits.searchesOfUser)
  const reasons = await Promise.allSettled(eve)
  expect(refused(reasons)).toBe(2)
  expect(reasons.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { kind: 'busy', message: expect.stringContaining('too many searches at once: wait for some of yours') },
  })
  expect(refused(await Promise.allSettled(ann))).toBe(0)
})

test('when much waits in all, a user has one piece of work that waits', async () => {
  const { slices, steps } = timed()
  const ask = (user: string) => slices.run(() => steps('a', 1, limits.searchTurn), asker(user))
  const users = 10
  const full = Array.from({ length: limits.searchesWaiting + users * limits.searchesBegun }, (_, index) =>
    ask(`user ${index % users}`),
  )
  const ann = await Promise.allSettled(Array.from({ length: limits.searchesBegun + 2 }, () => ask('ann')))
  expect(ann.map(({ status }) => status).slice(-2)).toEqual(['fulfilled', 'rejected'])
  expect(refused(ann)).toBe(1)
  expect(refused(await Promise.allSettled(full))).toBe(0)
})

test('work whose asker is gone is not continued', async () => {
  const { slices, steps, log } = timed()
  let isGone = false
  const work = slices.run(() => steps('a', 5, limits.searchTurn), asker('eve', { isGone: () => isGone }))
  const other = slices.run(() => steps('b', 2, limits.searchTurn), asker('ann'))
  isGone = true
  await expect(work).rejects.toMatchObject({ kind: 'busy' })
  expect(await other).toBe('b')
  expect(log).toEqual(['a1', 'b1', 'b2'])
})

test('within a transaction it is done at once, or refused', async () => {
  const { slices, steps } = timed()
  expect(slices.atOnce(steps('a', 3, 10), asker('ann'))).toBe('a')
  expect(() => slices.atOnce(steps('a', 10, 10), asker('eve'))).toThrow('the search takes too long')
  const release = slices.hold()
  const held = slices.run(() => steps('b', 3, 12))
  release()
  expect(await held).toBe('b')
})

test('what is held to be done at once counts for whoever asks for it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { slices, steps } = timed()
  onTestFinished(slices.hold())
  const long = (id: string) => slices.run(() => steps('long', 3, 12), asker(id))
  expect([await long('eve'), await long('eve')]).toEqual(['long', 'long'])
  await expect(long('eve')).rejects.toThrow('took too much of this second')
  expect(await long('ann')).toBe('long')
})

test('within transactions, of each second each user has a part, strangers together another, and a little is left to each', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { slices, steps } = timed()
  const [eve, bob, ann] = [asker('eve'), asker('bob'), asker('ann')]
  const publisher = { ...asker('publisher'), user: { id: 'publisher', seeded: 1 } }
  const long = (who = eve) => slices.atOnce(steps('long', 3, 12), who)
  const short = (who = eve) => slices.atOnce(steps('short', 2, 1), who)
  const tooMuch = 'took too much of this second'
  for (let times = 0; times < 2; times++) expect(long()).toBe('long')
  expect(() => long()).toThrow(tooMuch)
  expect(short()).toBe('short')
  for (let times = 0; times < 2; times++) expect(long(bob)).toBe('long')
  expect(() => long(ann)).toThrow(tooMuch)
  expect(short(ann)).toBe('short')
  expect(long(publisher)).toBe('long')
  vi.advanceTimersByTime(1000)
  expect(long()).toBe('long')
  expect(long(ann)).toBe('long')
})

test('within transactions, those of some addresses do not take what is left to another one', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { slices, steps } = timed()
  const long = (id: string, address: string) => slices.atOnce(steps('long', 3, 12), { ...asker(id), address })
  const refused = (id: string, address: string) => {
    try {
      return long(id, address) && 0
    } catch {
      return 1
    }
  }
  const guests = ['203.0.113.1', '203.0.113.2'].flatMap((address) =>
    Array.from({ length: 5 }, (_, number) => ({ id: `${address} ${number}`, address })),
  )
  for (let seconds = 0; seconds < 3; seconds++) {
    const refusals = guests.map(({ id, address }) => refused(id, address))
    expect(refusals.filter(Boolean).length).toBeGreaterThanOrEqual(4)
    expect(long('ann', '203.0.113.3')).toBe('long')
    vi.advanceTimersByTime(1000)
  }
})

test('within transactions, those of however many addresses take no more than strangers may, but for the first second', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const time = new AtOnceTime()
  const all = limits.searchesAtOnceOfAll
  for (const places of [3, 10, 100]) {
    vi.advanceTimersByTime(60_000)
    const callers = Array.from({ length: places }, (_, number) => ({
      user: { id: `${places} ${number}`, seeded: 0 },
      address: `203.0.${places}.${number}`,
    }))
    const takenIn = Array.from({ length: 4 }, () => {
      let taken = 0
      for (const caller of callers)
        for (let most = time.most(caller); most > 2; most = time.most(caller)) {
          time.took(caller, most)
          taken += most
        }
      vi.advanceTimersByTime(1000)
      return taken
    })
    const [first = 0, ...others] = takenIn
    expect(first).toBeLessThan(all * 6)
    for (const taken of others) expect(taken).toBeLessThanOrEqual(all + 1e-6)
  }
})

/** Callers of searches within transactions at addresses of their own, and what each may take some time after the last. */
function withCrowd() {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const time = new AtOnceTime()
  const caller = (number: number) => ({ user: { id: `${number}`, seeded: 0 }, address: `203.0.${number}.1` })
  const mostAfter = (milliseconds: number, number = 100) => {
    vi.advanceTimersByTime(milliseconds)
    const most = time.most(caller(number))
    time.took(caller(number), 2)
    return most
  }
  const crowd = () => {
    for (let number = 0; number < 64; number++) mostAfter(0, number)
  }
  return { mostAfter, crowd }
}

test('within transactions, who comes long after a crowd has all the time that one has', () => {
  const { mostAfter, crowd } = withCrowd()
  crowd()
  expect(mostAfter(1000)).toBeLessThan(limits.searchAtOnce)
  crowd()
  expect(mostAfter(20_000)).toBe(limits.searchAtOnce)
})

test('within transactions, a crowd counts half as much with each second, also for who goes on asking', () => {
  const { mostAfter, crowd } = withCrowd()
  crowd()
  const share = limits.searchesAtOnceOfAll / 64
  const shares = Array.from({ length: 5 }, () => mostAfter(1000))
  expect(shares).toEqual([share, 2 * share, 4 * share, 8 * share, limits.searchAtOnce])
})

test('of the time that other threads take, no more is counted than has passed by the clock', () => {
  const clock = vi.spyOn(performance, 'now')
  const threads = vi.spyOn(process, 'cpuUsage')
  onTestFinished(() => {
    clock.mockRestore()
    threads.mockRestore()
  })
  const at = (milliseconds: number, user: number) => {
    clock.mockReturnValue(milliseconds)
    threads.mockReturnValue({ user: user * 1000, system: 0 })
    return processorTime()
  }
  const begin = at(1e9, 1e9)
  expect([at(1e9 + 10, 1e9 + 20) - begin, at(1e9 + 1010, 1e9 + 25) - begin]).toEqual([10, 15])
})
