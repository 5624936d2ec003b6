import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newMachine, root } from '../support/binary.ts'

/** Whether this machine has `script`, which gives a program a terminal. */
const hasScript = () => {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const rules = `'${process.execPath}' '${join(root, 'bin/vatom.js')}' explain --rules`

/** What a terminal of ten lines shows of a command line, and its exit code; keys are typed once their text appears. */
async function onTerminal(
  command: string,
  pager: string,
  keys: readonly (readonly [after: string, keys: string])[] = [],
) {
  const { home } = newMachine()
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    SHELL: '/bin/sh',
    TERM: 'xterm',
    NO_COLOR: '1',
    VATOM_PAGER: pager,
  }
  const child = spawn('script', ['-qefc', `stty rows 10 cols 80; ${command}`, '/dev/null'], { cwd: home, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  let next = 0
  child.stdout.setEncoding('utf8').on('data', (some: string) => {
    text += some
    const [after = '', typed = ''] = keys[next] ?? []
    if (after === '' || !text.includes(after)) return
    next++
    child.stdin.write(typed)
  })
  const [code] = await once(child, 'close')
  return { code, text: text.replaceAll('\r\n', '\n') }
}

test.runIf(hasScript())('on a terminal a long list is shown by the pager, which may leave before its end', async () => {
  expect(await onTerminal(rules, 'sed -n 1p')).toEqual({ code: 0, text: 'Errors\n' })
  expect(await onTerminal(rules, 'head -c 6')).toEqual({ code: 0, text: 'Errors' })
  const plain = await onTerminal(`${rules} --no-pager`, 'sed -n 1p')
  expect(plain.text.split('\n').length).toBeGreaterThan(60)
  expect(await onTerminal(rules, '/nowhere/pager')).toEqual(plain)
  expect(await onTerminal(`${rules} | cat`, 'sed -n 1p')).toMatchObject({
    code: 0,
    text: expect.stringContaining('\t'),
  })
})

test.runIf(hasScript())('Ctrl-C is the pager’s, and ends quietly with it', async () => {
  const pager = `sh -c 'trap "echo mine; exit" INT; echo waiting; while :; do sleep 0.05; done'`
  const { code, text } = await onTerminal(`exec ${rules}`, pager, [['waiting', '\x03']])
  expect({ code, text: text.replace('^C', '') }).toEqual({ code: 0, text: 'waiting\nmine\n' })
})
