import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ended, newMachine, root } from '../support/binary.ts'

const vatom = `"${process.execPath}" "${join(root, 'bin/vatom.js')}"`
const shell = (script: string, ...flags: string[]) => ['serve', ...flags, '--', 'sh', '-c', script]

/** Resolves when a process has written a line. */
function line(child: ChildProcess, wanted: string): Promise<void> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  return new Promise((resolve, reject) => {
    lines.on('line', (text) => text === wanted && resolve())
    child.once('close', (code) => reject(new Error(`ended with ${code} before it said ${wanted}`)))
  })
}

describe('serve -- COMMAND', () => {
  test('the command talks to the service by its environment, and nothing is left behind', async () => {
    const { home, vatom: run } = newMachine()
    writeFileSync(join(home, 'coupon.yaml'), readFileSync(join(root, 'templates-examples/coffee-coupon.yaml'), 'utf8'))
    const script = `${vatom} template create coupon.yaml --json && ${vatom} template list; env | grep ^VATOM_ | cut -d= -f1 | sort`
    const { code, out, err } = await run(shell(script, '--quiet'), { env: { VATOM_CODE_CACHE: 'off' } })
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^(context from the environment: .*\n)?$/) })
    expect(JSON.parse(out.slice(0, out.indexOf('\n}\n') + 3))).toMatchObject({ results: [{ status: 'created' }] })
    expect(out.split('\n').slice(-7)).toEqual([
      'local.vatom::CoffeeCoupon::v1\tdraft\t',
      'VATOM_APP_ID',
      'VATOM_BASE_URL',
      'VATOM_CODE_CACHE',
      'VATOM_PUBLISHER',
      'VATOM_REFRESH_TOKEN',
      '',
    ])
    expect(readdirSync(home)).toEqual(['coupon.yaml'])
  })

  test('reset and snapshot act on that service, and never on the data of this machine', async () => {
    const { home, vatom: run } = newMachine()
    writeFileSync(join(home, 'coupon.yaml'), readFileSync(join(root, 'templates-examples/coffee-coupon.yaml'), 'utf8'))
    expect(await run(['template', 'create', 'coupon.yaml'])).toMatchObject({ code: 0 })
    const script = [
      'snapshot save seeded',
      'reset --yes',
      'template list',
      'snapshot load seeded --yes',
      'template list',
    ].map((words) => `${vatom} --quiet ${words}`)
    const { code, out, err } = await run(shell(script.join(' && '), '--quiet', '--seed', 'coupon.yaml'))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.match(/local.vatom::CoffeeCoupon::v1/g)).toHaveLength(1)
    expect(out).toContain('Deleted all data of the temporary service http://127.0.0.1:')
    expect((await run(['template', 'list'])).out).toContain('CoffeeCoupon')
    expect(await run(['snapshot', 'list'])).toMatchObject({ out: '' })
  })

  test('it has standard input, output and error to itself, to the last byte', async () => {
    const { vatom: run } = newMachine()
    const text = 'line\n'.repeat(60_000)
    const both = 'process.stdin.pipe(process.stdout); process.stdin.pipe(process.stderr)'
    const { code, out, err } = await run(['serve', '--quiet', '--', process.execPath, '-e', both], { input: text })
    expect(code).toBe(0)
    expect([out.length, err.length]).toEqual([text.length, text.length])
    expect(out === text && err === text).toBe(true)
  })

  test('what stands behind -- is its own', async () => {
    const { vatom: run } = newMachine()
    const words = ['--', '--json', '-V', '--help', '--', '', 'a b', '$HOME', '*']
    const { out } = await run([
      'serve',
      '--memory',
      '--',
      process.execPath,
      '-p',
      'JSON.stringify(process.argv.slice(1))',
      ...words,
    ])
    expect(JSON.parse(out)).toEqual(['--json', '-V', '--help', '--', '', 'a b', '$HOME', '*'])
  })

  test.each([
    [shell('exit 0'), 0],
    [shell('exit 42'), 42],
    [shell('kill -TERM $$'), 143],
    [shell('kill -KILL $$'), 137],
    [['serve', '--', '/etc/passwd'], 126],
    [['serve', '--', 'no-such-command'], 127],
    [['serve', '--json', '--', './none'], 127],
  ])('%j ends with %i', async (args, expected) => {
    const { code, signal, out, err } = await newMachine().vatom(args)
    expect({ code, signal }).toEqual({ code: expected, signal: null })
    expect(err).not.toMatch(/^\s+at /m)
    if (expected === 126 || expected === 127) expect(err).toMatch(/error: .*(no-such-command|none|passwd).*\nhint: /)
    expect(out === '').toBe(!args.includes('--json'))
  })

  test.each([
    ['SIGINT', 'INT'],
    ['SIGTERM', 'TERM'],
    ['SIGHUP', 'HUP'],
  ] as const)('%s is passed on once; the command decides what becomes of it', async (signal, name) => {
    const script = `trap 'echo got; n=$((n+1))' ${name}; echo ready; while [ -z "$n" ]; do sleep 0.05; done; sleep 0.3; echo $n; exit 9`
    const child = newMachine().start(shell(script))
    const run = ended(child)
    await line(child, 'ready')
    child.kill(signal)
    expect(await run).toMatchObject({ code: 9, signal: null, out: 'ready\ngot\n1\n' })
  })

  test('a second Ctrl-C does not end the service before its command', async () => {
    const script = `trap 'n=$((n+1)); echo "got $n"' INT; echo ready; while [ "$n" != 2 ]; do sleep 0.05; done
      ${vatom} whoami --json >/dev/null; echo "whoami $?"; exit 3`
    const child = newMachine().start(shell(script))
    const run = ended(child)
    await line(child, 'ready')
    const second = line(child, 'got 1')
    child.kill('SIGINT')
    await second
    child.kill('SIGINT')
    expect(await run).toMatchObject({ code: 3, out: 'ready\ngot 1\ngot 2\nwhoami 0\n' })
  })

  test('a command that a signal ends gives 128 and its number', async () => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const child = newMachine().start([
        'serve',
        '--',
        process.execPath,
        '-e',
        'console.log("ready"); setInterval(() => {}, 1000)',
      ])
      const run = ended(child)
      await line(child, 'ready')
      child.kill(signal)
      expect(await run).toMatchObject({ code, signal: null })
    }
  })

  test.skipIf(process.platform === 'win32')('a service that is killed takes its command with it', async () => {
    const { home, start } = newMachine()
    const child = start(
      shell(
        `trap 'echo ended > end; exit' TERM; sleep 0.5; echo ready; n=0; while [ $n -lt 200 ]; do n=$((n+1)); sleep 0.05; done`,
      ),
    )
    const run = ended(child)
    await line(child, 'ready')
    child.kill('SIGKILL')
    await run
    await expect.poll(() => existsSync(join(home, 'end'))).toBe(true)
  })

  test.skipIf(process.platform === 'win32')(
    'a command that ignores it is killed after the service is',
    async () => {
      const { home, start } = newMachine()
      const child = start(
        shell(
          `trap 'echo asked > asked' TERM; sleep 1; echo ready; n=0; while [ $n -lt 1000 ]; do n=$((n+1)); sleep 0.05; done; echo > over`,
        ),
      )
      const run = ended(child)
      await line(child, 'ready')
      child.kill('SIGKILL')
      // The command holds the output of the service: it is closed when both have ended.
      await run
      expect(existsSync(join(home, 'asked'))).toBe(true)
      expect(existsSync(join(home, 'over'))).toBe(false)
    },
    60_000,
  )

  test('the service is closed when the command has ended, though others still hold connections', async () => {
    const { home, vatom: run } = newMachine()
    const keep = `require("net").connect(new URL(process.env.VATOM_BASE_URL).port).on("connect", () => require("fs").writeFileSync("up", "")).on("close", () => require("fs").writeFileSync("closed", ""))`
    writeFileSync(join(home, 'keep.js'), keep)
    const script = `"${process.execPath}" keep.js >/dev/null 2>&1 </dev/null & while ! [ -e up ]; do sleep 0.05; done; echo $VATOM_BASE_URL`
    const { code, out } = await run(shell(script))
    expect(code).toBe(0)
    await expect(fetch(`${out.trim()}/__vatom/health`)).rejects.toThrow('fetch failed')
    await expect.poll(() => existsSync(join(home, 'closed'))).toBe(true)
  })

  test('a database on disk and a seed are there for the command, and the former afterwards', async () => {
    const { home, vatom: run } = newMachine()
    const seed = ['--seed', join(root, 'templates-examples')]
    const first = await run(shell(`${vatom} template list --json`, '--db', 'own.db', ...seed))
    expect({ code: first.code, count: JSON.parse(first.out).length }).toEqual({ code: 0, count: 8 })
    expect(first.err).toContain('seeded 8 templates')
    const again = await run(shell('true', '--db', 'own.db', ...seed))
    expect(again).toMatchObject({
      code: 0,
      err: expect.stringContaining('seeded nothing\nleft unchanged, because they exist: '),
    })
    expect(existsSync(join(home, 'own.db'))).toBe(true)
  })

  test('tokens expire when the command moves the clock, and the tool renews them', async () => {
    const { vatom: run } = newMachine()
    const script = `
      curl -sf -X PUT -d '{"advance_seconds": 301}' $VATOM_BASE_URL/__vatom/clock >/dev/null
      ${vatom} whoami >/dev/null && curl -sf $VATOM_BASE_URL/__vatom/clock`
    const { code, out } = await run(shell(script))
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ payload: { offset_seconds: 301 } })
  })

  test('a scenario is met by the command: retried, and refused at last', async () => {
    const { home, vatom: run } = newMachine()
    writeFileSync(
      join(home, 's.yaml'),
      '- { match: { path: /v1/user }, times: 1, then: { status: 503, retry_after: 0 } }\n- { match: { operation: listTemplates }, then: { status: 403 } }\n',
    )
    const script = `${vatom} whoami --json >/dev/null; echo $?; ${vatom} template list 2>/dev/null; echo $?`
    expect(await run(shell(script, '--scenario', 's.yaml'))).toMatchObject({ out: '0\n4\n' })
  })
})

/** Whether this machine has `script`, which gives a program a terminal. */
const hasScript = () => {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.runIf(hasScript())('Ctrl-C on a terminal reaches the command once', async () => {
  const { home } = newMachine()
  const script = `trap 'n=$((n+1)); echo got' INT; echo ready; while [ -z "$n" ]; do sleep 0.05; done; sleep 0.3; echo "n=$n"; exit 9`
  writeFileSync(join(home, 'command.sh'), script)
  const child = spawn('script', ['-qefc', `exec ${vatom} serve -- sh command.sh`, '/dev/null'], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, SHELL: '/bin/sh' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (some: string) => {
    text += some
    if (/ready/.test(some)) child.stdin.write('\x03')
  })
  const [code] = await once(child, 'close')
  expect(text).toContain('n=1')
  expect(code).toBe(9)
})
