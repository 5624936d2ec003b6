import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Ledger, openLedger } from '../../../../src/cli/catalog/apply/apply-ledger.ts'
import { at } from '../../../../src/contract/schema/path.ts'
import { ownMark, startOf } from '../../../../src/processes.ts'
import { catalogDesk } from '../../../fixtures/catalog.ts'
import { coupon, template } from '../../../fixtures/yaml.ts'
import { replaceCall } from '../../../support/file-calls.ts'
import { newFolder } from '../../../support/folders.ts'
import { hostWith } from '../../../support/host.ts'
import { type Fate, lossy } from '../../../support/lossy.ts'

/** A desk whose catalog was applied but for its face, which the service did not take. */
async function unfinished() {
  const desk = await catalogDesk()
  const fates = new Map<string, Fate>([['POST /v1/publisher/face', 'lost']])
  const { env } = await lossy(desk.service, ({ method, url }) => fates.get(`${method} ${url}`) ?? 'answered')
  const slept: number[] = []
  const apply = (more = {}, ...args: string[]) =>
    desk.run(['apply', 'catalog', '--yes', ...args], { env: { ...env, ...more }, slept })
  expect(await apply()).toMatchObject({ code: 6 })
  const [name = ''] = desk.kept()
  expect(name).toMatch(/^[0-9a-f]{16}\.jsonl$/)
  fates.clear()
  const file = join(desk.ledgers, name)
  slept.length = 0
  return { ...desk, lossyEnv: env, apply, fates, slept, ledger: file, lock: file.replace(/jsonl$/, 'lock') }
}

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('the ledger', () => {
  test('says what was begun and done, and is put aside when all went well', async () => {
    const { apply, ledger, kept, json } = await unfinished()
    const [header, ...lines] = linesOf(ledger)
    expect(header).toMatchObject({
      vatom_apply: 1,
      target: expect.stringMatching(/^http:.* \(application local\)$/),
      plan: null,
    })
    const begun = lines.flatMap((line) => at(line, 'begin') ?? [])
    expect(begun).toHaveLength(4)
    expect(begun[0]).toBe(`create template ${coupon}`)
    const done = lines.flatMap((line) => at(line, 'settled') ?? [])
    expect(begun.filter((task) => !done.includes(task))).toEqual([expect.stringMatching(/^create face /)])
    const { code, err } = await apply()
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining(
        'an earlier apply on this service, of this catalog or another one, was interrupted, or had no answer: the outcome of 1 of its 4 writes is unknown; comparing again to continue from there',
      ),
    })
    expect(kept()).toEqual([expect.stringMatching(/\.jsonl\.done$/)])
    expect((await apply()).err).not.toContain('an earlier apply')
    expect(await json('face', 'list', coupon)).toHaveLength(1)
  })

  test('a write that is begun again after its outcome was known has an unknown one', async () => {
    const folder = newFolder()
    const options = { target: 'a', plan: 'digest', host: hostWith({ now: () => new Date() }) }
    const run = async (work: (ledger: Ledger) => Promise<void>) => {
      const ledger = await openLedger(folder, options)
      await work(ledger)
      ledger.close(false)
      return ledger.interrupted
    }
    await run(async (ledger) => {
      await ledger.begin('create t')
      ledger.settle('create t', 'done')
    })
    expect(await run((ledger) => ledger.begin('create t'))).toBeUndefined()
    expect(await run(async () => {})).toMatchObject({ begun: 1, unsettled: 1 })
  })

  test('a write is in it before it is sent', async () => {
    const desk = await catalogDesk()
    const seen: boolean[] = []
    const { env } = await lossy(desk.service, ({ method }) => {
      if (method !== 'POST') return 'answered'
      const [name = ''] = desk.kept().filter((one) => one.endsWith('.jsonl'))
      seen.push(readFileSync(join(desk.ledgers, name), 'utf8').includes('"begin"'))
      return 'answered'
    })
    await desk.run(['apply', 'catalog', '--yes'], { env })
    expect(seen).toEqual([true, true, true, true])
  })

  test('what nobody knows the end of is waited for, over runs that end before they write', async () => {
    const { apply, fates, ledger, json, slept } = await unfinished()
    for (const _ of [1, 2]) {
      fates.set(`GET /v1/templates/${encodeURIComponent(coupon)}`, { status: 500 })
      expect(await apply()).toMatchObject({ code: 5 })
      expect(linesOf(ledger).slice(1)).toEqual([
        { begin: expect.stringMatching(/^create face /), at: expect.any(String) },
      ])
    }
    fates.clear()
    slept.length = 0
    expect((await apply()).err).toContain('the outcome of 1 of its 1 writes is unknown')
    expect(slept).toEqual([2_000])
    expect(await json('face', 'list', coupon)).toHaveLength(1)
  })

  test.each<[string, (text: string) => string]>([
    ['a torn last line', (text) => `${text.trimEnd()}\n{"begin":"create fa`],
    ['a torn first line', () => '{"vatom_app'],
    ['garbage', () => '\0\xff\n}{\n[]\n5\nnull\n'],
    ['nothing in it', () => ''],
    [
      'garbage behind its header',
      (text) => `${text.split('\n')[0]}\n5\nnull\n{"begin":7}\n{"begin":"x","at":"never"}\n`,
    ],
  ])('with %s hinders no run', async (_, damage) => {
    const { apply, ledger, json, kept } = await unfinished()
    writeFileSync(ledger, damage(readFileSync(ledger, 'utf8')))
    expect(await apply()).toMatchObject({ code: 0 })
    expect(await json('face', 'list', coupon)).toHaveLength(1)
    expect(kept()).toEqual([expect.stringMatching(/\.jsonl\.done$/)])
  })

  test('that was torn is gone on with by the same plan, on a line of its own', async () => {
    const desk = await catalogDesk()
    const fates = new Map<string, Fate>([['POST /v1/publisher/face', 'lost']])
    const { env } = await lossy(desk.service, ({ method, url }) => fates.get(`${method} ${url}`) ?? 'answered')
    await desk.run(['plan', 'catalog', '--out', 'the.plan'], { env })
    expect(await desk.run(['apply', 'the.plan'], { env })).toMatchObject({ code: 6 })
    const ledger = join(desk.ledgers, desk.kept()[0] ?? '')
    writeFileSync(ledger, `${readFileSync(ledger, 'utf8')}{"begin":"create te`)
    fates.clear()
    expect(await desk.run(['apply', 'the.plan'], { env })).toMatchObject({ code: 0 })
    expect(readFileSync(`${ledger}.done`, 'utf8')).toMatch(/^\{"begin":"create te\n\{"begin":"create face /m)
    expect(await desk.json('face', 'list', coupon)).toHaveLength(1)
  })

  test('of one service does not concern another', async () => {
    const { vatom, kept } = await unfinished()
    const { code, err } = await vatom('apply', 'catalog', '--yes')
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('an earlier apply') })
    expect(
      kept()
        .map((name) => name.slice(16))
        .sort(),
    ).toEqual(['.jsonl', '.jsonl.done'])
  })

  test('is for its owner’s eyes, and no secret is in it', async () => {
    const { ledger, ledgers, service } = await unfinished()
    expect(readFileSync(ledger, 'utf8')).not.toContain(service.localToken().slice(0, 20))
    expect(readdirSync(ledgers)).toHaveLength(1)
  })
})

/** What can be in the way of a ledger in a data directory. */
const obstacles: readonly [string, (data: string, name: string) => void][] = [
  ['a file where the folder would be', (data) => writeFileSync(data, '')],
  ['a folder where the ledger would be', (data, name) => mkdirSync(join(data, 'applied', name), { recursive: true })],
]

test('a ledger that is larger than any is not read, nor replaced, and nothing is sent', async () => {
  const desk = await unfinished()
  truncateSync(desk.ledger, 2 ** 27 + 1)
  desk.changes()
  const { code, err } = await desk.apply({})
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(
      `error: ${desk.ledger} is no ledger: it is no regular file, or too large\nhint: move it away, or choose another folder with VATOM_DATA_DIR\n`,
    ),
  })
  expect(statSync(desk.ledger).size).toBe(2 ** 27 + 1)
  expect(desk.changes()).toEqual([])
})

test.each(obstacles)('a data directory that cannot be written is named, and nothing is sent: %s', async (_, spoil) => {
  const desk = await unfinished()
  const data = join(desk.home, 'data')
  spoil(data, basename(desk.ledger))
  desk.changes()
  const { code, out, err } = await desk.apply({ VATOM_DATA_DIR: data }, '--json')
  expect({ code, error: JSON.parse(out).error }).toMatchObject({ code: 1, error: { code: 'ledger_unwritable' } })
  expect(err).toContain(join(data, 'applied'))
  expect(err).toContain('choose another folder with VATOM_DATA_DIR')
  expect(err).not.toContain('Unexpected')
  expect(desk.changes()).toEqual([])
})

test.each([
  ['plan', 'catalog'],
  ['apply', 'catalog', '--dry-run'],
])('before apply fails for a data directory that cannot be written, %s warns in its words', async (...words) => {
  const { run, home, service } = await catalogDesk()
  const { env } = await lossy(service, () => 'answered')
  const data = join(home, 'data')
  const chosen = { env: { ...env, VATOM_DATA_DIR: data } }
  expect((await run(words, chosen)).err).not.toContain('ledger')
  writeFileSync(data, '')
  const { error } = JSON.parse((await run(['apply', 'catalog', '--yes', '--json'], chosen)).out)
  const why = `The apply ledger in ${join(data, 'applied')} cannot be written: `
  expect(error).toMatchObject({ message: expect.stringContaining(why) })
  const { code, out, err } = await run([...words, '--max-warnings', '0', '--json'], chosen)
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`warning: ${why}`) })
  // Named as people name a folder.
  expect(err).toContain(`access '${data}/'; `)
  expect(JSON.parse(out).warnings).toEqual([
    expect.objectContaining({
      file: '<ledger>',
      rule: 'ledger-unwritable',
      severity: 'warning',
      message: expect.stringContaining(why),
      hint: error.hint,
    }),
  ])
})

describe('the lock', () => {
  /** A process that has ended. */
  const dead = () => spawnSync(process.execPath, ['-e', '']).pid
  const held = (pid: number, host = hostname(), started?: string, ids?: string) =>
    JSON.stringify({ pid, host, started, ids })
  /** Of a copy of this machine, with its name and the ids of its processes. */
  const heldByTwin = () => JSON.stringify({ ...ownMark(), pid: dead(), boot: '0a1b2c3d' })

  test('of a living process keeps others out: exit 1', async () => {
    const { apply, lock, changes, json } = await unfinished()
    mkdirSync(dirname(lock), { recursive: true })
    changes()
    const there = 'stop it there; one that was killed counts as ended after 20 s'
    for (const [holder, who, hint] of [
      [held(process.pid), `(process ${process.pid})`, 'Ctrl-C'],
      [held(process.pid, 'another'), `(process ${process.pid} on another)`, there],
      // A container that shares the name of the machine has processes of its own with the same ids.
      [held(1, hostname(), '1', 'other'), `(process 1 on ${hostname()})`, there],
      [heldByTwin(), `on ${hostname()})`, there],
    ] as const) {
      writeFileSync(lock, holder)
      const { code, out } = await apply({}, '--json')
      expect({ code, ...JSON.parse(out) }).toMatchObject({
        code: 1,
        error: {
          code: 'apply_running',
          message: expect.stringContaining(who),
          hint: expect.stringContaining(hint),
        },
      })
    }
    expect(changes()).toEqual([])
    expect(await json('face', 'list', coupon)).toEqual([])
    expect(await json('plan', 'catalog')).toMatchObject({ summary: { create: 1 } })
  })

  test('is waited for until Ctrl-C while another apply looks at it, and nothing is sent', async () => {
    const { run, lossyEnv: env, lock, changes } = await unfinished()
    changes()
    writeFileSync(`${lock}.guard`, held(process.pid, 'another'))
    const interrupted = new AbortController()
    replaceCall('openSync', (open) => (path, ...how) => {
      if (path === `${lock}.guard`) interrupted.abort()
      return open(path, ...how)
    })
    expect(await run(['apply', 'catalog', '--yes'], { env, signal: interrupted.signal })).toMatchObject({
      code: 130,
      err: expect.stringContaining('nothing was changed\n'),
    })
    expect(changes()).toEqual([])
  })

  test('is warned of before what to do about a failure, where it cannot be closed', async () => {
    const { run, service } = await catalogDesk()
    let isSent = false
    const { env } = await lossy(service, ({ method, url }) => {
      isSent ||= method === 'POST' && url === '/v1/publisher/face'
      return isSent ? 'lost' : 'answered'
    })
    replaceCall('fsyncSync', (flush) => (file) => {
      if (isSent) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' })
      flush(file)
    })
    const { code, err } = await run(['apply', 'catalog', '--yes'], { env })
    expect({ code, err }).toEqual({
      code: 6,
      err: expect.stringMatching(
        /\nwarning: the apply ledger could not be closed: EIO: i\/o error, fsync\n(error: .*\n){2}hint: .*vatom apply catalog --yes\n$/,
      ),
    })
  })

  test('says in a pipeline what a job can do', async () => {
    const { apply, lock } = await unfinished()
    const own = 'or give each catalog a folder of its own with VATOM_DATA_DIR, where jobs run side by side'
    for (const [holder, killed] of [
      [held(process.pid), ''],
      [held(process.pid, 'another'), '; one that was killed counts as ended after 20 s'],
    ] as const) {
      writeFileSync(lock, holder)
      const err = expect.stringContaining(`hint: run the job again once it has ended; ${own}${killed}\n`)
      expect(await apply({ CI: 'true' })).toMatchObject({ code: 1, err })
    }
  })

  test.each<[string, () => string, number]>([
    ['a process that has ended', () => held(dead()), 0],
    ['a machine that says nothing any more', () => held(1, 'another'), 60],
    ['a container of the same name that says nothing any more', () => held(1, hostname(), '1', 'other'), 60],
    ['a copy of the machine that says nothing any more', heldByTwin, 60],
    ['a process whose number another has by now', () => held(process.pid, hostname(), '1'), 0],
    ['a process of which only its number is known, and that says nothing any more', () => held(process.pid), 60],
    ['nobody: it was cut off as it was written', () => '', 0],
  ])('of %s is taken over', async (_, content, secondsAgo) => {
    const { apply, lock, kept } = await unfinished()
    writeFileSync(lock, content())
    const then = Date.now() / 1000 - secondsAgo
    utimesSync(lock, then, then)
    expect(await apply()).toMatchObject({ code: 0 })
    expect(kept()).toEqual([expect.stringMatching(/\.jsonl\.done$/)])
  })

  test.runIf(startOf(process.pid))(
    'of a process that was killed, and that nobody waits for, is taken over',
    async () => {
      const { apply, lock } = await unfinished()
      const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'])
      onTestFinished(() => void parent.kill())
      const [written] = await once(parent.stdout, 'data')
      const pid = Number(written)
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)
      writeFileSync(lock, held(pid, hostname(), startOf(pid)))
      expect(await apply()).toMatchObject({ code: 0 })
    },
  )

  test('of another machine is looked at by the clock of the file system, whatever that of this machine says', async () => {
    const { apply, lock } = await unfinished()
    const now = Date.now
    let ahead = 60_000
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead)
    onTestFinished(() => clock.mockRestore())
    writeFileSync(lock, held(1, 'another'))
    expect(await apply()).toMatchObject({ code: 1, err: expect.stringContaining('Another apply to this service') })
    ahead = -60_000
    const then = now() / 1000 - 60
    utimesSync(lock, then, then)
    expect(await apply()).toMatchObject({ code: 0 })
  })

  test('that is given back as it is looked at is free', async () => {
    const { apply, lock } = await unfinished()
    writeFileSync(lock, held(process.pid))
    const restore = replaceCall('openSync', (open) => (path, ...how) => {
      const opened = open(path, ...how)
      if (path !== lock) return opened
      restore()
      rmSync(lock)
      return opened
    })
    expect(await apply()).toMatchObject({ code: 0 })
  })

  test('that another took over meanwhile is left to it', async () => {
    const desk = await catalogDesk()
    const { env } = await lossy(desk.service, ({ method }) => {
      const lock = desk.kept().find((name) => name.endsWith('.lock'))
      if (method === 'POST' && lock) writeFileSync(join(desk.ledgers, lock), held(1, 'another'))
      return 'answered'
    })
    expect(await desk.run(['apply', 'catalog', '--yes'], { env })).toMatchObject({
      code: 6,
      err: expect.stringContaining('Another apply to this service has taken over'),
    })
    expect(await desk.json('variation', 'list')).toEqual([])
    expect(desk.kept()).toContainEqual(expect.stringMatching(/\.lock$/))
  })

  test('is given back whatever becomes of a run', async () => {
    const desk = await catalogDesk()
    expect(await desk.vatom('apply', 'catalog')).toMatchObject({ code: 2 })
    expect(desk.kept()).toEqual([expect.stringMatching(/\.jsonl$/)])
    await desk.applied()
    expect(desk.kept()).toEqual([expect.stringMatching(/\.jsonl\.done$/)])
  })

  test('of two runs at once, one is told that the other is at work, and each record is there once', async () => {
    const desk = await catalogDesk('network')
    for (let n = 0; n < 10; n++) desk.file(`catalog/more${n}.yaml`, template(`$publisher::More${n}::v1`))
    const runs = await Promise.all([1, 2].map(() => desk.vatom('apply', 'catalog', '--yes')))
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(runs.find(({ code }) => code === 1)?.err).toContain('Another apply to this service is running')
    expect(await desk.json('face', 'list', coupon)).toHaveLength(1)
  })
})
