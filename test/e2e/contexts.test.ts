import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { selfSigned } from '../fixtures/self-signed.ts'
import { ended, newMachine } from '../support/binary.ts'
import { writeFiles } from '../support/folders.ts'
import { pageText } from '../support/pages.ts'
import { started } from '../support/servers.ts'
import { hasTerminal, onTerminal } from '../support/terminal.ts'

test('processes that change the contexts at once lose nothing', async () => {
  const { vatom } = newMachine()
  const names = Array.from({ length: 6 }, (_, index) => `c${index}`)
  const place = ['--base-url', 'https://api.example.com', '--app-id', 'x']
  const added = await Promise.all(names.map((name) => vatom(['context', 'add', name, ...place])))
  expect(added.map(({ code }) => code)).toEqual(names.map(() => 0))
  const { out } = await vatom(['context', 'list', '--json'])
  const kept: { name: string }[] = JSON.parse(out)
  expect(kept.map(({ name }) => name).sort()).toEqual([...names, 'local'])
})

test.skipIf(process.platform === 'win32')(
  'a process that was paused while it changed the contexts loses nothing that others have saved meanwhile',
  async () => {
    const { home, vatom, start } = newMachine()
    const add = (name: string) => ['context', 'add', name, '--base-url', 'https://api.example.com', '--app-id', 'x']
    expect(await vatom(add('first'))).toMatchObject({ code: 0 })
    const config = join(home, '.config/vatom/config.json')
    const lock = `${config}.lock`
    const before = readFileSync(config)
    const isLocked = (yes: boolean) => expect.poll(() => existsSync(lock), { timeout: 30_000 }).toBe(yes)

    // It waits in the middle, as a paused process does: a pipe has no end while it is open for writing.
    rmSync(config)
    execFileSync('mkfifo', [config])
    const pipe = openSync(config, 'r+')
    const paused = ended(start(add('paused')))
    await isLocked(true)
    rmSync(config)
    writeFileSync(config, before)
    utimesSync(lock, 0, 0)
    expect(await vatom(add('meanwhile'))).toMatchObject({ code: 0 })

    writeFileSync(lock, 'of another process')
    writeSync(pipe, before)
    closeSync(pipe)
    await setTimeout(500)
    expect(readFileSync(lock, 'utf8')).toBe('of another process')
    rmSync(lock)
    expect(await paused).toMatchObject({ code: 0 })
    await isLocked(false)
    expect(Object.keys(JSON.parse(readFileSync(config, 'utf8')).contexts)).toEqual(['first', 'meanwhile', 'paused'])
  },
)

test('a certificate for other hosts than the one of the address is named with them', async () => {
  const { port } = await started(createServer(selfSigned))
  const { home, vatom } = newMachine()
  writeFiles(home, { 'authority.pem': selfSigned.cert })
  const env = {
    VATOM_BASE_URL: `https://localhost:${port}`,
    VATOM_APP_ID: 'x',
    VATOM_ACCESS_TOKEN: 'y',
    NODE_EXTRA_CA_CERTS: join(home, 'authority.pem'),
  }
  expect(await vatom(['whoami'], { env })).toMatchObject({
    code: 5,
    err: [
      `error: No answer from https://localhost:${port}: its certificate is for 127.0.0.1, not for localhost`,
      'hint: write the address with a host that the certificate is for, or give the service a certificate for this one\n',
    ].join('\n'),
  })
})

test('the manual says what each file is that the commands store', async () => {
  const { home, vatom } = newMachine()
  writeFiles(home, { 'tea.png': Buffer.from('iVBORw0KGgo=', 'base64') })
  for (const line of ['init shop --no-input', 'apply shop --yes', 'asset upload tea.png', 'snapshot save one'])
    expect(await vatom(line.split(' '))).toMatchObject({ code: 0 })
  const stored = readdirSync(join(home, '.local/share/vatom')).filter((name) => !/-(shm|wal)$/.test(name))
  expect(stored).toEqual(expect.arrayContaining(['local.db', 'local.db.assets', 'owners']))
  const page = pageText('src/docs/contexts.md')
  expect(stored.filter((name) => !page.includes(`\`~/.local/share/vatom/${name}\``))).toEqual([])
})

test.runIf(hasTerminal())(
  'the context that a terminal shows as chosen is used where its text and Enter come at once',
  async () => {
    const { home, vatom } = newMachine()
    for (const name of ['ann', 'staging'])
      await vatom(['context', 'add', name, '--base-url', 'https://api.example.com', '--app-id', 'x'])
    await vatom(['context', 'use', 'local'])
    const { code, shown } = await onTerminal(home, 'context use', [['navigate', 's\r']])
    expect(code).toBe(0)
    expect(shown).toContain('staging is the current context now.')
  },
)
