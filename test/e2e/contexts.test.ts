import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
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

test.runIf(existsSync('/proc/self/stat'))(
  'a process that was paused while it changed the contexts loses nothing that others have saved meanwhile',
  async () => {
    const { home, vatom, start } = newMachine()
    const add = (name: string) => ['context', 'add', name, '--base-url', 'https://api.example.com', '--app-id', 'x']
    expect(await vatom(add('first'))).toMatchObject({ code: 0 })
    const config = join(home, '.config/vatom/config.json')
    const lock = `${config}.lock`
    // It is paused when all that is left is to put its file in place.
    writeFiles(home, {
      'pausing.cjs': `
        const fs = require('node:fs')
        const { fsyncSync } = fs
        let times = 0
        fs.fsyncSync = (file) => {
          fsyncSync(file)
          if (times++ === 0) process.kill(process.pid, 'SIGSTOP')
        }
        require('node:module').syncBuiltinESMExports()
      `,
    })
    const paused = start(add('paused'), { env: { NODE_OPTIONS: `--require ${join(home, 'pausing.cjs')}` } })
    const end = ended(paused)
    const isPaused = () => / T /.test(readFileSync(`/proc/${paused.pid}/stat`, 'utf8'))
    await expect.poll(isPaused, { timeout: 30_000 }).toBe(true)
    expect(existsSync(lock)).toBe(true)
    expect(await vatom(add('meanwhile'))).toMatchObject({ code: 0 })
    paused.kill('SIGCONT')
    expect(await end).toMatchObject({ code: 0 })
    expect(existsSync(lock)).toBe(false)
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
