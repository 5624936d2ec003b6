import { type ChildProcess, execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { referenceTable } from '../../src/contract/derived/reference.ts'
import { newMachine, root } from '../support/binary.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** Shell blocks that a marker goes before. */
const blocks = (marker: string) =>
  [...readme.matchAll(new RegExp(`<!-- ${marker} -->\\n\`\`\`sh\\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text ?? '')

/** A shell with the built binary on its path, and the examples in its folder. */
function shell() {
  const machine = newMachine()
  const bin = join(machine.home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'vatom'), `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/vatom.js')}" "$@"\n`)
  chmodSync(join(bin, 'vatom'), 0o755)
  cpSync(join(root, 'templates-examples'), join(machine.home, 'templates-examples'), { recursive: true })
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: machine.home }
  const run = (script: string, more: Readonly<Record<string, string>> = {}) =>
    new Promise<{ code: unknown; err: string }>((resolve) =>
      execFile(
        'bash',
        ['-euo', 'pipefail', '-c', script],
        { cwd: machine.home, env: { ...env, ...more } },
        (error, _out, err) => resolve({ code: error ? error.code : 0, err }),
      ),
    )
  return { ...machine, run }
}

/** What a service says when it is ready. */
const readyLine = async ({ stdout }: ChildProcess) =>
  JSON.parse(
    await new Promise<string>((resolve) =>
      createInterface({ input: stdout as NodeJS.ReadableStream }).once('line', resolve),
    ),
  )

test('the session of the README runs as written, after its first command', async () => {
  const { run, start } = shell()
  expect(readme).toContain('npm ci && npx vatom template create templates-examples/coffee-coupon.yaml')
  expect(await run('vatom template create templates-examples/coffee-coupon.yaml')).toMatchObject({ code: 0 })

  expect(blocks('serve')).toEqual(['vatom serve\n'])
  const service = start(['serve', '--port', '0', '--json'])
  onTestFinished(() => void service.kill('SIGKILL'))
  const { base_url } = await readyLine(service)

  const session = blocks('session')
  expect(session.length).toBeGreaterThan(3)
  for (const block of session)
    expect({ block, ...(await run(block.replaceAll('http://127.0.0.1:4100', base_url))) }).toMatchObject({ code: 0 })
}, 60_000)

test('the reference in the README is the one the table of the API gives', () => {
  const [, reference] = /<!-- reference -->\n(.*?)<!-- end of reference -->/s.exec(readme) ?? []
  expect(reference?.trim()).toBe(referenceTable().trim())
})

test('every dependency is justified in one line', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const table = readme.slice(readme.indexOf('### Dependencies'))
  const listed = [...table.matchAll(/^\| ([^|]+?) +\|/gm)].flatMap(([, cell]) => (cell ?? '').split(', '))
  const needed = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'))
  expect(needed.filter((name) => !listed.includes(name))).toEqual([])
  expect(listed.filter((name) => /^[@a-z]/.test(name) && name !== 'package' && !needed.includes(name))).toEqual([])
})

test('the workflow of the README runs as written', async () => {
  const { run, start } = shell()
  const service = start(['serve', '--port', '0', '--memory', '--json'])
  onTestFinished(() => void service.kill('SIGKILL'))
  const { base_url, app_id, publisher } = await readyLine(service)
  const body = { token: publisher.email, token_type: 'email', auth_data: { password: publisher.password } }
  const login = await fetch(`${base_url}/v1/user/login`, {
    method: 'POST',
    headers: { 'app-id': app_id, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { payload } = (await login.json()) as { payload: { refresh_token: { token: string } } }
  const workflow = parse(/<!-- workflow -->\n```yaml\n(.*?)```/s.exec(readme)?.[1] ?? '')
  const { env, steps } = workflow.jobs.catalog
  expect(Object.keys(env)).toEqual(['VATOM_BASE_URL', 'VATOM_APP_ID', 'VATOM_REFRESH_TOKEN'])
  const tokens = { VATOM_BASE_URL: base_url, VATOM_APP_ID: app_id, VATOM_REFRESH_TOKEN: payload.refresh_token.token }

  expect(await run('vatom init catalog --no-input')).toMatchObject({ code: 0 })
  const commands = steps.flatMap(({ run: line }: { run?: string }) => (line?.startsWith('npx vatom') ? [line] : []))
  expect(commands.length).toBeGreaterThan(1)
  for (const line of commands)
    expect({ line, ...(await run(line.replace('npx ', ''), tokens)) }).toMatchObject({ code: 0 })
  expect(await run('grep -q "failures=.0" apply.xml && vatom plan catalog/ --exit-code', tokens)).toMatchObject({
    code: 0,
  })
})
