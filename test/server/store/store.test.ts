import {
  chownSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { FileCopies } from '../../../src/server/store/database/file-copies.ts'
import { RemoteSqlite } from '../../../src/server/store/database/remote-sqlite.ts'
import { copyOf } from '../../../src/server/store/memory-copy.ts'
import { nextTurn } from '../../../src/server/store/next-turn.ts'
import { randomOf, unpredictable } from '../../../src/server/store/random.ts'
import { Slices, type Steps } from '../../../src/server/store/slices.ts'
import { openStore, type Store } from '../../../src/server/store/store.ts'
import type { Asking } from '../../../src/server/store/timed-turns.ts'
import { gate } from '../../support/action-handler.ts'
import { newDatabase, newFolder } from '../../support/folders.ts'

test('a copy has everything, secrets included, and goes through no file', async () => {
  const store = await openStore(newDatabase())
  onTestFinished(() => store.close())
  await store.write(() => store.settings.write('token_secret', 'red'))
  vi.stubEnv('TMPDIR', join(newFolder(), 'none'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const copies = [await copyOf(store), await copyOf(store)]
  onTestFinished(async () => {
    for (const copy of copies) await copy.close()
  })
  await copies[0]?.write(() => copies[0]?.settings.write('assets_folder', 'blue'))
  const read = (key: string) => [store, ...copies].map(({ settings }) => settings.read(key))
  expect(read('token_secret')).toEqual(['red', 'red', 'red'])
  expect(read('assets_folder')).toEqual([undefined, 'blue', undefined])
})

/** A store and copies of it; `search` takes so many milliseconds by a clock of its own in one transaction of one of them. */
async function copiesWithSearches(count: number) {
  let now = 0
  const store = await openStore(newDatabase(), unpredictable, new Slices(() => now))
  onTestFinished(() => store.close())
  const copies = await Promise.all(Array.from({ length: count }, () => copyOf(store)))
  onTestFinished(async () => {
    for (const copy of copies) await copy.close()
  })
  const steps = function* (milliseconds: number): Steps<void> {
    now += milliseconds
    yield
  }
  const searchAtOnce = (place: Store, id: string, milliseconds: number) =>
    place.slices.atOnce(steps(milliseconds), { user: { id, seeded: 0 }, address: '192.0.2.1' })
  const search = (place: Store, id: string, milliseconds: number) =>
    place.rolledBack(async () => searchAtOnce(place, id, milliseconds))
  return { store, copies, search, searchAtOnce }
}

test('a store and its copies share the time of each second for searches that are carried out at once', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { store, copies, search } = await copiesWithSearches(2)
  await search(store, 'eve', 40)
  for (const copy of copies) await search(copy, 'eve', 20)
  for (const place of [store, ...copies])
    await expect(search(place, 'eve', 30)).rejects.toThrow('took too much of this second')
})

test('one turn of the event loop has one long search of a store and its copies that is carried out at once', async () => {
  const { store, copies, search } = await copiesWithSearches(3)
  let turn = 0
  let isOver = false
  const next = () => {
    turn++
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  const places = [store, ...copies]
  const turnsOf = (milliseconds: number) =>
    Promise.all(places.map((place, at) => search(place, `user ${at}`, milliseconds).then(() => turn)))
  await turnsOf(1)
  const long = await turnsOf(30)
  isOver = true
  expect(new Set(long).size).toBe(places.length)
})

test('no write begins in a turn of the event loop that follows on a long search that is carried out at once', async () => {
  const { store, searchAtOnce } = await copiesWithSearches(0)
  const write = async (milliseconds: number) => {
    let isBegun = false
    const written = store.write(() => {
      isBegun = true
    })
    await nextTurn()
    searchAtOnce(store, 'eve', milliseconds)
    await nextTurn()
    const wasBegun = isBegun
    await written
    return wasBegun
  }
  expect(await write(1)).toBe(true)
  expect(await write(30)).toBe(false)
})

test('what was committed in a copy can be taken back, the last first, until it is settled', async () => {
  const store = await openStore(newDatabase())
  onTestFinished(() => store.close())
  const copy = await copyOf(store)
  onTestFinished(() => copy.close())
  const put = (key: string) => copy.committed(({ write, settings }) => write(() => settings.write(key, 'there')))
  const there = () => ['a', 'b', 'c', 'd', 'e'].filter((key) => copy.settings.read(key)).join('')
  copy.settle()
  for (const key of ['a', 'b', 'c']) await put(key)
  await copy.rolledBack(({ write, settings }) => write(() => settings.write('d', 'there')))
  const seen = [there()]
  for (let step = 0; step < 2; step++) {
    copy.takeBack()
    seen.push(there())
  }
  expect(seen).toEqual(['abc', 'ab', 'a'])
  copy.settle()
  await put('e')
  copy.takeBack()
  expect(there()).toBe('a')
})

/** A store that others are served from, work that takes so many milliseconds, and how often it was begun. */
async function served(milliseconds: number) {
  const path = newDatabase()
  const store = await openStore(path)
  onTestFinished(() => store.close())
  store.serveOthers()
  let begun = 0
  const work: Parameters<typeof store.rolledBack<string | undefined>>[0] = ({ writeInSteps }) =>
    writeInSteps(limits.fewRows + 1, function* ({ settings }) {
      begun++
      settings.write('dry', 'there')
      for (const end = performance.now() + milliseconds; performance.now() < end; ) yield
      return settings.read('dry')
    })
  const files = () =>
    readdirSync(dirname(path))
      .filter((name) => name.includes('-dry-'))
      .map((name) => join(dirname(path), name))
  return { store, work, begun: () => begun, files }
}

test('a dry run that takes long is made in a copy, which is removed, and others write meanwhile', async () => {
  const { store, work, begun, files } = await served(400)
  const dry = store.rolledBack(work)
  let isOver = false
  void dry.finally(() => {
    isOver = true
  })
  let writes = 0
  while (!isOver) {
    await store.write(() => store.settings.write(`write ${++writes}`, 'there'))
    expect(store.settings.read('dry')).toBeUndefined()
  }
  expect(await dry).toBe('there')
  expect(begun()).toBe(2)
  expect(writes).toBeGreaterThan(20)
  expect(files()).toEqual([])
})

test('the copy of a dry run gives its room on the disk back while it is still open', async () => {
  const { store, work, files } = await served(400)
  let copy: number | undefined
  await store.rolledBack(async (transaction) => {
    const [folder] = files()
    if (folder !== undefined) copy = openSync(join(folder, 'copy.db'), 'r')
    return await work(transaction)
  })
  if (copy === undefined) throw new Error('no copy was made')
  expect(fstatSync(copy).size).toBe(0)
  closeSync(copy)
})

test('no copy is made where the disk has no room for it and for the writes of others', async () => {
  const path = newDatabase()
  const store = await openStore(path)
  onTestFinished(() => store.close())
  const copyAside = vi.fn()
  const source = { path, tablesOn: () => undefined, copyAside }
  const waiter = { line: ['here'], isGone: () => false }
  const enough = 64 * 2 ** 20 + 2 * statSync(path).size + 2 * statSync(`${path}-wal`).size
  const work = async () => 'done'
  const full = new FileCopies(source, async () => enough - 1)
  await expect(full.run(work, waiter)).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/no room/) })
  expect(readdirSync(dirname(path)).filter((name) => name.includes('-dry-'))).toEqual([])
  expect(await new FileCopies(source, async () => enough).run(work, waiter)).toBe('done')
})

test('a dry run that is short is made in no copy', async () => {
  const { store, work, begun } = await served(1)
  const copied = vi.spyOn(FileCopies.prototype, 'run')
  onTestFinished(() => copied.mockRestore())
  expect(await store.rolledBack(work)).toBe('there')
  expect([begun(), copied.mock.calls.length, store.settings.read('dry')]).toEqual([1, 0, undefined])
})

test('of many dry runs, what others write waits for a few, as does a long one of another address, and a short one', async () => {
  const { store, work } = await served(20)
  let ended = 0
  const many = Array.from({ length: 16 }, (_, index) =>
    store.rolledBack(work, { line: ['1', `eve${index}`] }).then(() => ended++),
  )
  const others = [
    store.committed(({ write, settings }) => write(() => settings.write('stored', 'there'))),
    store.rolledBack(work, { line: ['2', 'ann'] }),
    store.rolledBack(async () => {}, { line: ['1', 'bob'] }),
  ]
  const counts = await Promise.all(others.map((other) => other.then(() => ended)))
  expect(Math.max(...counts)).toBeLessThan(8)
  await Promise.all(many)
})

test('a dry run of several changes gives others turns between them if they take long', async () => {
  const { store } = await served(1)
  let begun = 0
  let turns = 0
  const counted = setInterval(() => turns++, 1)
  onTestFinished(() => clearInterval(counted))
  await store.rolledBack(async ({ write, pause }) => {
    begun++
    turns = 0
    for (let change = 0; change < 3; change++) {
      await write(() => {
        for (const start = process.cpuUsage(); process.cpuUsage(start).user < 25_000; );
      })
      await pause()
    }
  })
  expect(begun).toBeGreaterThan(1)
  expect(turns).toBeGreaterThan(1)
})

test('a dry run ends when nobody waits for it any more', async () => {
  const { store, work, files } = await served(60_000)
  const end = performance.now() + 600
  const began = performance.now()
  await expect(store.rolledBack(work, { isGone: () => performance.now() > end })).rejects.toMatchObject({
    kind: 'busy',
    message: expect.stringContaining('the connection was closed'),
  })
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(files()).toEqual([])
  expect(await store.rolledBack(async ({ settings }) => settings.read('dry'))).toBeUndefined()
})

test('copies that killed processes left are removed at the next start, and nothing that only looks like one', async () => {
  const path = newDatabase()
  const gone = 2 ** 22 + 1
  const beside = (suffix: string, files: readonly string[]) => {
    mkdirSync(path + suffix)
    for (const file of files) writeFileSync(join(path + suffix, file), 'precious')
  }
  beside(`-dry-${gone}-aaaaaa`, ['copy.db', 'copy.db-wal'])
  beside(`-dry-${process.pid}-bbbbbb`, [])
  beside(`-dry-${process.ppid}-cccccc`, ['copy.db'])
  beside(`-dry-${gone}-dddddd`, ['copy.db', 'notes.txt'])
  beside('-dry-backup', ['notes.txt'])
  beside('-dry-run.db.assets', [])
  writeFileSync(`${path}-dry-${gone}-eeeeee`, 'precious')
  writeFileSync(`${path}-dry-run.db`, 'precious')
  const long = new Date(0)
  for (const suffix of ['-dry-backup', '-dry-run.db', '-dry-run.db.assets']) utimesSync(path + suffix, long, long)
  const store = await openStore(path)
  await store.close()
  const left = readdirSync(dirname(path)).filter((name) => name.includes('-dry-'))
  expect(left.map((name) => name.slice(basename(path).length)).sort()).toEqual(
    [
      `-dry-${process.ppid}-cccccc`,
      `-dry-${gone}-dddddd`,
      `-dry-${gone}-eeeeee`,
      '-dry-backup',
      '-dry-run.db',
      '-dry-run.db.assets',
    ].sort(),
  )
})

test.runIf(process.getuid?.() === 0)(
  'a copy that another user made stays: the database is opened all the same',
  async () => {
    const path = newDatabase()
    const theirs = `${path}-dry-${2 ** 22 + 1}-aaaaaa`
    mkdirSync(join(theirs, 'copy.db'), { recursive: true })
    chownSync(theirs, 65_534, 65_534)
    const store = await openStore(path)
    await store.close()
    expect(readdirSync(theirs)).toEqual(['copy.db'])
  },
)

test('a long write is committed by another thread, and what fails leaves nothing', async () => {
  const { store } = await served(0)
  const aside = vi.spyOn(RemoteSqlite.prototype, 'aside')
  onTestFinished(() => aside.mockRestore())
  const write = (name: string, fail = false) =>
    store.writeInSteps(limits.fewRows + 1, function* ({ settings }) {
      settings.write(name, 'there')
      yield
      expect(store.settings.read(name)).toBeUndefined()
      if (fail) throw new Error('no more')
      return settings.read(name)
    })
  await expect(write('failed', true)).rejects.toThrow('no more')
  expect(await write('done')).toBe('there')
  await store.write(() => store.settings.write('later', 'there'))
  expect(aside.mock.calls.slice(0, 2)).toEqual([['ROLLBACK'], ['COMMIT']])
  expect(['failed', 'done', 'later'].map((name) => store.settings.read(name))).toEqual([undefined, 'there', 'there'])
})

test('the log of a long write is moved into the file and emptied before the next begins', async () => {
  const db = newDatabase()
  const store = await openStore(db)
  onTestFinished(() => store.close())
  store.serveOthers()
  const sizes: number[] = []
  const write = (name: string) =>
    store.writeInSteps(limits.fewRows + 1, function* ({ settings }) {
      sizes.push(statSync(`${db}-wal`).size)
      settings.write(name, 'x'.repeat(1_000_000))
      yield
    })
  await Promise.all(['a', 'b', 'c'].map(write))
  expect(sizes.slice(1)).toEqual([0, 0])
})

/** A store to which others write whenever the log of a long write is to be moved, and by how much its file grows with that. */
async function writtenBeside(isWatched = () => true) {
  const db = newDatabase()
  const store = await openStore(db)
  onTestFinished(() => store.close())
  store.serveOthers()
  const size = () => statSync(db).size
  const grown: number[] = []
  const write = (name: string, value: string) => store.write(() => store.settings.write(name, value))
  const aside = RemoteSqlite.prototype.aside
  const watched = vi.spyOn(RemoteSqlite.prototype, 'aside')
  onTestFinished(() => watched.mockRestore())
  watched.mockImplementation(async function (this: RemoteSqlite, sql) {
    if (sql.includes('PASSIVE') && isWatched()) {
      const before = size()
      await write('meanwhile', 'there')
      grown.push(size() - before)
    }
    await aside.call(this, sql)
  })
  return { store, write, size, grown }
}

test('what others write meanwhile leaves the log of a long write to the thread of that', async () => {
  const { store, write, size, grown } = await writtenBeside()
  await store.writeInSteps(limits.fewRows + 1, function* ({ settings }) {
    settings.write('long', 'x'.repeat(8_000_000))
    yield
  })
  await expect.poll(() => grown).toEqual([0])
  await expect.poll(size).toBeGreaterThan(8_000_000)
  await write('large', 'x'.repeat(8_000_000))
  await write('later', 'x'.repeat(8_000_000))
  expect(size()).toBeGreaterThan(16_000_000)
})

/** A portion without changes. */
function* waiting(): Steps<void> {
  yield
}

test('what others write leaves the log of a long write to its thread also where another long write has ended meanwhile', async () => {
  let [isBegun, isOtherOver] = [false, false]
  const { store, grown } = await writtenBeside(() => isOtherOver)
  const other = store.writeInPortions(limits.fewRows + 1, function* () {
    while (!isBegun) yield waiting()
  })
  const long = store.writeInPortions(limits.fewRows + 1, function* ({ settings }) {
    isBegun = true
    while (!isOtherOver) yield waiting()
    settings.write('long', 'x'.repeat(8_000_000))
  })
  await other
  isOtherOver = true
  await long
  expect(new Set(grown)).toEqual(new Set([0]))
})

test('long writes of a user do not keep that of another waiting until the last of them', async () => {
  const { store } = await served(0)
  const order: string[] = []
  const write = (user: string) =>
    store.writeInSteps(
      limits.fewRows + 1,
      function* () {
        order.push(user)
        yield
      },
      { line: ['', user], isFirst: false },
    )
  await Promise.all(['a', 'a', 'a', 'b'].map(write))
  expect(order).toEqual(['a', 'b', 'a', 'a'])
})

/** A store in which two deletions in portions and a long write have begun, which go on when the gate is opened. */
async function heldStore() {
  const store = await openStore(newDatabase())
  store.serveOthers()
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= store.close()
    return closed
  }
  const held = gate()
  const open = RemoteSqlite.open.bind(RemoteSqlite)
  const opening = vi.spyOn(RemoteSqlite, 'open').mockImplementation(async (path) => {
    await held.opened
    return await open(path)
  })
  onTestFinished(async () => {
    held.open()
    opening.mockRestore()
    await close()
  })
  const user = { line: ['', 'a'], isFirst: false }
  /** By somebody who waits for the result, and can be refused. */
  const asking = { ...user, isGone: () => false }
  const outcome = (write: Promise<string>) => write.catch((error) => error.message)
  const inSteps = (sender: Asking) =>
    outcome(
      store.writeInSteps(
        limits.fewRows + 1,
        function* () {
          yield
          return 'done'
        },
        sender,
      ),
    )
  const inPortions = (sender: Asking) =>
    outcome(
      store.writeInPortions(
        limits.fewRows + 1,
        function* () {
          yield waiting()
          return 'done'
        },
        sender,
      ),
    )
  const begun = [inSteps(asking), inPortions(asking), inPortions(asking)]
  return { store, user, asking, inSteps, inPortions, begun, open: held.open, close }
}
const closing = 'The service is closing'

test('a store that closes carries out the long write that has begun, and refuses all others and further portions', async () => {
  const { user, inSteps, inPortions, begun, open, close } = await heldStore()
  const others = [inSteps(user), inPortions(user)]
  const closed = close()
  expect(await Promise.all(others)).toEqual([closing, closing])
  open()
  expect(await Promise.all(begun)).toEqual(['done', closing, closing])
  await closed
})

test('a service that closes refuses what waits among deletions in portions, but not what goes on with something', async () => {
  const { store, user, asking, inPortions, begun, open } = await heldStore()
  const [refused, goesOn] = [inPortions(asking), inPortions(user)]
  store.refuseLong()
  expect([await refused, await inPortions(asking)]).toEqual([closing, closing])
  open()
  expect(await Promise.all([...begun, goesOn])).toEqual(['done', 'done', 'done', 'done'])
})

test('of deletions in portions so many of a user wait, which are not counted among their other long writes', async () => {
  const { asking, inSteps, inPortions, open, close } = await heldStore()
  const waiting = Array.from({ length: limits.longWritesOfUser }, () => inPortions(asking))
  expect(await inPortions(asking)).toMatch(/^too many changes of many records/)
  waiting.push(inSteps(asking))
  const closed = close()
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([closing]))
  open()
  await closed
})

test('a write that takes long for its few rows is begun again in steps, and what it drew is drawn again', async () => {
  const store = await openStore(newDatabase(), randomOf('a'))
  onTestFinished(() => store.close())
  store.serveOthers()
  const drawn: string[] = []
  let spent = 0
  const clocks = [
    vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: spent * 1000, system: 0 })),
    vi.spyOn(performance, 'now').mockImplementation(() => spent),
  ]
  onTestFinished(() => {
    for (const clock of clocks) clock.mockRestore()
  })
  const aside = vi.spyOn(RemoteSqlite.prototype, 'aside')
  onTestFinished(() => aside.mockRestore())
  const write = (name: string, milliseconds: number) =>
    store.writeInSteps(1, function* ({ settings }) {
      drawn.push(store.random.uuid())
      settings.write(name, 'there')
      spent += milliseconds
      yield
    })
  await write('short', 19)
  expect(aside).not.toHaveBeenCalled()
  await write('long', 30)
  expect(aside).toHaveBeenCalledWith('COMMIT')
  expect(store.settings.read('long')).toBe('there')
  expect(drawn).toEqual([drawn[0], drawn[1], drawn[1]])
  expect(drawn[0]).not.toBe(drawn[1])
})
