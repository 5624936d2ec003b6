import { type ChildProcess, execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { newMachine, root } from '../support/binary.ts'
import { codeBlocks, pageFiles, pageText } from '../support/pages.ts'
import { ownProcess, residentBinary } from '../support/resident.ts'

const resident = residentBinary()

/** A shell with the built binary on its path; each script begins in the folder where the last one ended. */
function shell(program: string) {
  const machine = newMachine()
  const bin = join(machine.home, 'bin')
  const folder = join(machine.home, '.folder')
  mkdirSync(bin)
  writeFileSync(join(bin, 'vatom'), program, { mode: 0o755 })
  cpSync(join(root, 'templates-examples'), join(machine.home, 'templates-examples'), { recursive: true })
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: machine.home }
  const run = (script: string) =>
    new Promise<{ code: unknown; err: string }>((resolve) =>
      execFile(
        'bash',
        ['-euo', 'pipefail', '-c', `trap 'pwd > ${folder}' EXIT\n${script}`],
        { cwd: existsSync(folder) ? readFileSync(folder, 'utf8').trim() : machine.home, env, signal: resident.signal },
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

/** Commands that a page shows a reader, in order. */
const commandsOf = (file: string) => codeBlocks(pageText(file)).filter(({ language }) => language === 'sh')
const withCommands = pageFiles.filter((file) => commandsOf(file).some(({ mark }) => mark === 'session'))

test('the first command stands in the README', () =>
  expect(pageText('README.md')).toContain('npm ci && npx vatom template create templates-examples/coffee-coupon.yaml'))

test.each(withCommands)(
  'the commands of %s run as written',
  async (file) => {
    const { run, start } = shell(file === 'README.md' ? ownProcess : resident.program())
    let address = 'http://127.0.0.1:4100'
    for (const { mark, code } of commandsOf(file)) {
      if (mark === 'serve') {
        expect(code).toBe('vatom serve\n')
        const service = start(['serve', '--port', '0', '--json'])
        onTestFinished(() => void service.kill('SIGKILL'))
        address = (await readyLine(service)).base_url
      }
      if (mark !== 'session') continue
      const script = code.replaceAll('http://127.0.0.1:4100', address)
      expect({ script, ...(await run(script)) }).toMatchObject({ code: 0 })
    }
  },
  60_000,
)

test('every dependency is justified in one line', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const readme = pageText('README.md')
  const table = readme.slice(readme.indexOf('## Dependencies'))
  const listed = [...table.matchAll(/^\| ([^|]+?) +\|/gm)].flatMap(([, cell]) => (cell ?? '').split(', '))
  const needed = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'))
  expect(needed.filter((name) => !listed.includes(name))).toEqual([])
  expect(listed.filter((name) => /^[@a-z]/.test(name) && ![...needed, 'package'].includes(name))).toEqual([])
})
