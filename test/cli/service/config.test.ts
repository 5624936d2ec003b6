import { spawnSync } from 'node:child_process'
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ownMark, startOf } from '../../../src/processes.ts'
import { template } from '../../fixtures/yaml.ts'
import { served } from '../../support/desks.ts'
import { failRemoval, onNextFlush } from '../../support/file-calls.ts'
import { serverOf } from '../../support/servers.ts'
import { publisher } from '../../support/vatom.ts'

describe('what is stored', () => {
  test('in a folder that was there, whose mode stays as it is', async () => {
    const { login, home } = await served()
    const folder = join(home, '.config', 'vatom')
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    await login()
    expect(statSync(folder).mode & 0o777).toBe(0o755)
    expect(statSync(join(folder, 'credentials.json')).mode & 0o777).toBe(0o600)
  })

  test('the names of valid files, but not in a pipeline', async () => {
    const { run, home } = await publisher()
    const env = { VATOM_BASE_URL: 'http://127.0.0.1:1', VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'y' }
    expect(await run(['template', 'validate', '-'], { stdin: template(), build: 'b', env })).toMatchObject({ code: 0 })
    expect(readdirSync(home)).toEqual([])
    expect(await run(['template', 'validate', '-'], { stdin: template(), build: 'b' })).toMatchObject({ code: 0 })
    expect(readdirSync(home)).toEqual(['.cache'])
  })

  test('a token renewed while the context was signed out is not', async () => {
    const { login, vatom, home, service } = await served()
    await login(['--context', 'staging'])
    const path = join(home, '.config', 'vatom', 'credentials.json')
    const { staging } = JSON.parse(readFileSync(path, 'utf8'))
    const { url: base_url } = await serverOf(async (request, response) => {
      writeFileSync(path, '{}')
      const headers = {
        'app-id': service.appId,
        authentication: staging.refresh_token,
        authorization: String(request.headers.authorization),
      }
      response.end((await service.inject({ method: request.method ?? '', path: request.url ?? '', headers })).body)
    })
    const config = join(home, '.config', 'vatom', 'config.json')
    writeFileSync(
      config,
      JSON.stringify({ current: 'staging', contexts: { staging: { base_url, app_id: service.appId } } }),
    )
    writeFileSync(path, JSON.stringify({ staging: { refresh_token: staging.refresh_token } }))
    expect(await vatom('auth', 'token')).toMatchObject({ code: 0 })
    expect(readFileSync(path, 'utf8')).toBe('{}')
  })
})

test.each([
  ['credentials.json', 'refresh_token'],
  ['credentials.json', 'access_token'],
  ['config.json', 'app_id'],
])('a %s whose %s is damaged is named, as no request can have it', async (name, key) => {
  const { login, vatom, home } = await served()
  await login()
  const path = join(home, '.config', 'vatom', name)
  const text = readFileSync(path, 'utf8')
  for (const damage of ['\\u0000', '\\n', 'é', ' ']) {
    writeFileSync(path, text.replace(new RegExp(`("${key}": ?")`), `$1a${damage}b`))
    const { code, err } = await vatom('template', 'list')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`${path} is damaged`) })
    expect(err).toContain(`rm '${path}'`)
  }
})

test.each(['config.json', 'credentials.json'])(
  'a damaged %s names its path and the repair, never a stack',
  async (name) => {
    const { login, vatom, home } = await served()
    await login()
    const path = join(home, '.config', 'vatom', name)
    for (const damage of ['{"curr', '[]', '{"contexts": 5, "x": 7}']) {
      writeFileSync(path, damage)
      const { code, out, err } = await vatom('context', 'list')
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toContain(path)
      expect(err).toContain('hint: repair it')
      expect(err).not.toMatch(/\n\s+at /)
    }
    writeFileSync(path, 'eyJTOKEN')
    expect((await vatom('context', 'list', '--debug')).err).not.toContain('eyJ')
  },
)

describe('of a file that another process writes', () => {
  /** A machine where the lock of the contexts names a holder. */
  async function heldBy(holder: object) {
    const desk = await publisher()
    const folder = join(desk.home, '.config', 'vatom')
    mkdirSync(folder, { recursive: true })
    const [file, lock] = [join(folder, 'config.json'), join(folder, 'config.json.lock')]
    const hold = (by: object) => writeFileSync(lock, JSON.stringify(by))
    hold(holder)
    const add = (name: string, options = {}) =>
      desk.run(['context', 'add', name, '--base-url', 'https://x.example', '--app-id', 'x'], options)
    const names = () => Object.keys(JSON.parse(readFileSync(file, 'utf8')).contexts)
    /** What another process does that takes the lock over, and ends or not. */
    const takeOver = (by: object) => {
      writeFileSync(file, JSON.stringify({ contexts: { other: { base_url: 'https://x.example', app_id: 'x' } } }))
      hold(by)
    }
    /** Releases the lock, and sees that the command which waited for it adds `one`. */
    const released = async (adding: ReturnType<typeof add>) => {
      fs.rmSync(lock)
      expect(await adding).toMatchObject({ code: 0 })
      expect(names()).toEqual(['one'])
    }
    return { file, lock, hold, add, names, takeOver, released }
  }

  const running = () => ({ ...ownMark(), pid: process.ppid, started: startOf(process.ppid) })
  const ended = () => ({ ...ownMark(), pid: spawnSync(process.execPath, ['-e', '']).pid, started: undefined })
  /** Of another machine, where a process has the number of one that has ended here. */
  const elsewhere = () => ({ pid: ended().pid, host: `not-${hostname()}` })

  /** Lets so many times as many seconds pass for who waits. */
  function waitingFaster(times: number): void {
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() * times)
    onTestFinished(() => clock.mockRestore())
  }

  /** Lets seconds pass for who waits, when they are asked for. */
  function waitingLonger() {
    const now = performance.now.bind(performance)
    let added = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + added)
    onTestFinished(() => clock.mockRestore())
    return (seconds: number) => {
      added += seconds * 1000
    }
  }

  test.each([
    ['runs on this machine', running],
    ['is of another one', elsewhere],
    ['is of a copy of this one', () => ({ ...ended(), boot: '0a1b2c3d' })],
    ['is of an earlier version', () => ({})],
  ])('it is waited for while its holder, which %s, may still write, whatever the clock says', async (_, holder) => {
    const { add, file, lock, released } = await heldBy(holder())
    const adding = add('one')
    for (const seconds of [-3600, 3600]) {
      const then = Date.now() / 1000 + seconds
      utimesSync(lock, then, then)
      await setTimeout(50)
      expect(existsSync(file)).toBe(false)
    }
    await released(adding)
  })

  test.each([
    ['has ended', ended],
    ['has ended, and another has its number', () => ({ ...ownMark(), started: '1' })],
  ])('its lock is taken over at once where its holder %s', async (_, holder) => {
    const { add, lock, names } = await heldBy(holder())
    expect(await add('one')).toMatchObject({ code: 0 })
    expect(names()).toEqual(['one'])
    expect(existsSync(lock)).toBe(false)
  })

  test.each([
    ['runs on this machine', running],
    ['is of another one', elsewhere],
    ['is of an earlier version', () => ({})],
  ])('its lock is taken over where its holder, which %s, does not let go of it', async (_, holder) => {
    const { add, lock, names } = await heldBy(holder())
    waitingFaster(100)
    expect(await add('one')).toMatchObject({ code: 0 })
    expect(names()).toEqual(['one'])
    expect(existsSync(lock)).toBe(false)
  })

  test('it is waited for until Ctrl-C, and nothing is changed', async () => {
    const { add, file, lock } = await heldBy(running())
    const interrupted = new AbortController()
    const adding = add('one', { signal: interrupted.signal })
    await setTimeout(100)
    interrupted.abort()
    const err = 'error: interrupted while another command was waited for: nothing was changed\n'
    expect(await adding).toEqual({ code: 130, out: '', err })
    expect([existsSync(file), existsSync(lock)]).toEqual([false, true])
  })

  test.each([
    ['logout', ['logout']],
    ['context remove', ['context', 'remove', 'staging']],
    ['login', ['login', '--guest', '--yes']],
  ])('%s waits until Ctrl-C, and then changes nothing', async (_, command) => {
    const { login, run, vatom, home } = await served()
    await login(['--context', 'staging'])
    const files = ['config', 'credentials'].map((name) => join(home, '.config', 'vatom', `${name}.json`))
    const stored = () => files.map((file) => readFileSync(file, 'utf8'))
    const before = stored()
    for (const file of files) writeFileSync(`${file}.lock`, JSON.stringify(running()))
    const interrupted = new AbortController()
    const waiting = run(command, { signal: interrupted.signal })
    await setTimeout(1000)
    interrupted.abort()
    expect(await waiting).toMatchObject({ code: 130, out: '' })
    expect(stored()).toEqual(before)
    for (const file of files) fs.rmSync(`${file}.lock`)
    expect(await vatom('auth', 'token', '--refresh', '--yes')).toMatchObject({ code: 0 })
  })

  test('a folder in the place of its lock is named at once, with how to remove it', async () => {
    const { add, lock } = await heldBy({})
    fs.rmSync(lock)
    mkdirSync(lock)
    const err = `error: ${lock} cannot be written: a folder is in its place\nhint: remove the folder: rm -r '${lock}'\n`
    expect(await add('one')).toEqual({ code: 1, out: '', err })
    expect(existsSync(lock)).toBe(true)
  })

  test('its lock is taken over where it is a link to nothing', async () => {
    const { add, lock, names } = await heldBy({})
    fs.rmSync(lock)
    fs.symlinkSync('/nowhere/lock', lock)
    waitingFaster(100)
    expect(await add('one')).toMatchObject({ code: 0 })
    expect(names()).toEqual(['one'])
    expect(fs.lstatSync(lock, { throwIfNoEntry: false })).toBeUndefined()
  })

  test('each holder is given its time, however many there were before it', async () => {
    const { add, file, hold, released } = await heldBy(running())
    const pass = waitingLonger()
    const adding = add('one')
    for (const work of ['1', '2', '3', '4']) {
      hold({ ...running(), work })
      await setTimeout(50)
      pass(6)
      await setTimeout(50)
      expect(existsSync(file)).toBe(false)
    }
    await released(adding)
  })

  test.each([
    ['', ['one']],
    [', and there was no file before', []],
  ])(
    'what that has written is not lost where it took the lock over while this one waited for the disk%s',
    async (_, before) => {
      const { add, file, names, takeOver } = await heldBy(ended())
      for (const name of before) await add(name)
      onNextFlush(() => takeOver(ended()))
      expect(await add('two')).toMatchObject({ code: 0 })
      expect(names()).toEqual(['other', 'two'])
      expect(readdirSync(join(file, '..'))).toEqual(['config.json'])
    },
  )

  test('it is given twice the time once it took the lock over: two on a slow disk do not take turns for ever', async () => {
    const { add, lock, names, takeOver } = await heldBy(ended())
    await add('one')
    const holder = JSON.stringify(running())
    waitingFaster(20)
    onNextFlush(() => takeOver(running()))
    const adding = add('two')
    await expect.poll(() => existsSync(lock)).toBe(true)
    await setTimeout(750)
    expect(readFileSync(lock, 'utf8')).toBe(holder)
    expect(await adding).toMatchObject({ code: 0 })
    expect(names()).toEqual(['other', 'two'])
  })

  test('what is written stays so where the lock cannot be removed after it', async () => {
    const { add, lock, names } = await heldBy(ended())
    failRemoval((path) => path === lock && readFileSync(lock, 'utf8').includes('"work"'))
    expect(await add('one')).toMatchObject({ code: 0 })
    expect(names()).toEqual(['one'])
  })
})

test.skipIf(process.platform === 'win32').each(['config.json', 'credentials.json'])(
  'a pipe in the place of %s is not waited for',
  async (name) => {
    const { home, vatom } = await publisher()
    await vatom('context', 'add', 'staging', '--base-url', 'https://x.example', '--app-id', 'x')
    const file = join(home, '.config', 'vatom', name)
    fs.rmSync(file, { force: true })
    spawnSync('mkfifo', [file])
    const { code, err } = await vatom('context', 'remove', 'staging', '--yes')
    expect({ code, err }).toEqual({
      code: 1,
      err: `error: ${file} is damaged: it is no regular file\nhint: delete it and sign in again: rm '${file}'\n`,
    })
  },
)
