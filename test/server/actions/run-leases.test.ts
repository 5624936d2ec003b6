import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { RunLeases } from '../../../src/server/actions/run-leases.ts'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { outputOf, owned } from '../../support/acting.ts'
import { gate, handlerOf, slowHandler } from '../../support/action-handler.ts'
import { newFolder } from '../../support/folders.ts'
import { acquire, giftWorld, name, refused, reservedIn } from '../../support/gift.ts'
import { type Caller, made, testService } from '../../support/service.ts'

const slow = 'local.vatom://slow'

/** Has what is repeated stand still until it is moved, and the clock of the machine, too. */
function stillMachine(toFake: readonly ('Date' | 'setInterval' | 'clearInterval')[] = [...repeating, 'Date']): void {
  vi.useFakeTimers({ toFake: [...toFake] })
  onTestFinished(() => void vi.useRealTimers())
}
const repeating = ['setInterval', 'clearInterval'] as const

/** A service with a limited action, which a user is running: its handler is at work. */
async function underWay(db?: string) {
  const opened = await giftWorld({ reactor: slow, policy: {} }, db)
  const { url, atWork, go } = await slowHandler()
  await made(opened.publisher, ['POST', '/v1/publisher/action_handler', { reactor: slow, url }])
  const run = opened.gift(opened.bob)
  await atWork
  return { ...opened, run, go }
}

/** Has the action carried out by the platform from now on. */
const withoutHandler = (publisher: Caller) =>
  made(publisher, ['PATCH', `/v1/publisher/action/${name}::Action::Gift`, { reactor: acquire }])

/** Another service on its database, and the same user there. */
async function beside({ db, bob }: { readonly db: string; readonly bob: Caller }) {
  const other = await testService({ db, publishers: ['local.vatom', 'other.example'] })
  return { ...other, elsewhere: other.as(bob.id, bob.token) }
}

async function untilIn(db: string): Promise<number> {
  const sqlite = await openSqlite(db)
  const row = sqlite.prepare('SELECT until FROM reserved_runs').get()
  sqlite.close()
  return Number(Object(row).until)
}

test('a run that is waited for is given back where its service stops meanwhile', async () => {
  stillMachine(repeating)
  const { bob, db, id, publisher, service, gift } = await giftWorld({ reactor: slow, policy: {} })
  const { url, atWork, go } = await slowHandler()
  await made(publisher, ['POST', '/v1/publisher/action_handler', { reactor: slow, url }])
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const leaving = new AbortController()
  const asked = fetch(`${baseUrl}/v1/user/vatom/action/Gift`, {
    method: 'POST',
    headers: { 'app-id': 'local', authorization: `Bearer ${bob.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ 'this.id': id }),
    signal: leaving.signal,
  })
  await atWork
  leaving.abort()
  await expect(asked).rejects.toThrow(/abort/)
  await service.close()
  expect(await reservedIn(db)).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
  go()
  const { elsewhere } = await beside({ db, bob })
  outputOf(await gift(elsewhere))
  expect(await gift(elsewhere)).toMatchObject(refused)
})

test('a service that has closed stores no run any more', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const leases = new RunLeases(store)
  const lease = leases.begin()
  leases.prepare(store)
  await leases.end(lease, store)
  await leases.close()
  expect(() => leases.prepare(store)).toThrow(expect.objectContaining({ kind: 'closing' }))
})

describe('a run that cannot be given back as the database is busy', () => {
  async function notGivenBack() {
    const locked = gate()
    const opened = await giftWorld({ reactor: slow, policy: {} })
    const other = await openSqlite(opened.db)
    onTestFinished(() => other.close())
    const { url } = await handlerOf((response) => {
      other.exec('BEGIN IMMEDIATE')
      locked.open()
      response.end('{}')
    })
    await made(opened.publisher, ['POST', '/v1/publisher/action_handler', { reactor: slow, url }])
    const run = opened.gift(opened.bob)
    await locked.opened
    let now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      now += 3000
      return now
    })
    expect(await run).toMatchObject({ status: 503, body: { error: 9016 } })
    clock.mockRestore()
    other.exec('ROLLBACK')
    expect(await reservedIn(opened.db)).toBe(1)
    await withoutHandler(opened.publisher)
    return opened
  }

  test('does not keep the user from the next one', async () => {
    const { bob, gift } = await notGivenBack()
    outputOf(await gift(bob))
    expect(await gift(bob)).toMatchObject(refused)
  })

  test('is given back with the next renewal', async () => {
    stillMachine(repeating)
    const { db } = await notGivenBack()
    vi.advanceTimersByTime(limits.runLeaseRenewal)
    await vi.waitFor(async () => expect(await reservedIn(db)).toBe(0))
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0))
  })
})

describe('beside another service on its database', () => {
  test('a run of one that was killed counts for a minute at most, whatever the clocks of the services say', async () => {
    stillMachine()
    const first = await underWay()
    const { bob, db, run, go, gift } = first
    const { elsewhere, advance } = await beside(first)
    advance(limits.runLease / 1000 + 1)
    vi.setSystemTime(Date.now() + limits.runLease - 1)
    expect(await gift(elsewhere)).toMatchObject(refused)
    vi.setSystemTime(Date.now() + 1)
    await withoutHandler(first.publisher)
    outputOf(await gift(elsewhere))
    go()
    expect(await run).toMatchObject(refused)
    expect(await gift(bob)).toMatchObject(refused)
    expect(await owned(bob)).toHaveLength(1)
    expect(await reservedIn(db)).toBe(0)
  })

  test('a run of one that was killed when the clock of the machine was ahead does not count', async () => {
    stillMachine()
    const now = Date.now()
    vi.setSystemTime(now + 3 * limits.runLease)
    const first = await underWay()
    const { elsewhere } = await beside(first)
    vi.setSystemTime(now)
    await withoutHandler(first.publisher)
    outputOf(await first.gift(elsewhere))
    first.go()
    expect(await first.run).toMatchObject(refused)
  })

  test('a run that is under way for longer than that counts', async () => {
    stillMachine()
    const first = await underWay()
    const { db, run, go, gift } = first
    const { elsewhere } = await beside(first)
    for (let passed = 0; passed <= 2 * limits.runLease; passed += limits.runLeaseRenewal) {
      vi.advanceTimersByTime(limits.runLeaseRenewal)
      await vi.waitFor(async () => expect(await untilIn(db)).toBeGreaterThan(Date.now() + limits.runLeaseRenewal * 2))
    }
    expect(await gift(elsewhere)).toMatchObject(refused)
    go()
    outputOf(await run)
    expect(await gift(elsewhere)).toMatchObject(refused)
    expect(await reservedIn(db)).toBe(0)
  })
})

test('a run that is under way counts in its own service although the machine slept for longer than that', async () => {
  stillMachine()
  const { bob, db, run, go, gift } = await underWay()
  vi.setSystemTime(Date.now() + 2 * limits.runLease)
  expect(await gift(bob)).toMatchObject(refused)
  expect(await reservedIn(db)).toBe(1)
  go()
  outputOf(await run)
})

test('nothing is renewed where no run of a limited action is under way', async () => {
  stillMachine()
  const { run, go } = await underWay()
  expect(vi.getTimerCount()).toBe(1)
  go()
  outputOf(await run)
  expect(vi.getTimerCount()).toBe(0)
})

describe('a run that is under way when the data is copied is not in the copy', () => {
  test('where it is a snapshot', async () => {
    const { bob, service, run, go, gift } = await underWay()
    const snapshots = await service.snapshots(newFolder())
    await snapshots.save('meanwhile', { replace: false })
    go()
    outputOf(await run)
    expect(await gift(bob)).toMatchObject(refused)
    await snapshots.load('meanwhile')
    outputOf(await gift(bob))
    expect(await gift(bob)).toMatchObject(refused)
  })

  test('where a test in the process of the service makes it', async () => {
    const { bob, service, run, go, gift } = await underWay(':memory:')
    const copy = await (await service.testControls()).snapshot()
    onTestFinished(() => copy.close())
    go()
    outputOf(await run)
    expect(await gift(bob)).toMatchObject(refused)
    await copy.restore()
    outputOf(await gift(bob))
    expect(await gift(bob)).toMatchObject(refused)
  })
})
