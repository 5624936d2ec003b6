import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newMachine, root } from './binary.ts'

/** What a person types when a question appears. */
const answers: readonly (readonly [question: string, keys: string])[] = [
  ['Name of the template', '1st\r'],
  ['1st is no name for a template here: begin with a letter', '\u0015FreeTea\r'],
  ['Title that people see', '\r'],
  ['Category that viewers group by', '\r'],
  ['Kind of vAtom', '\u001b[B\r'],
  ['Does a merchant redeem it?', 'y\r'],
  ['May its owner share copies of it?', '\r'],
]

const hasTerminal = () => {
  try {
    return execFileSync('script', ['-qec', 'echo yes', '/dev/null'], { stdio: ['ignore', 'pipe', 'pipe'] }).length > 0
  } catch {
    return false
  }
}

test.runIf(hasTerminal())(
  'on a terminal init is a wizard',
  async () => {
    const { home, vatom } = newMachine()
    const command = `'${process.execPath}' '${join(root, 'bin/vatom.js')}' init shop`
    const env = { PATH: process.env.PATH ?? '', HOME: home, TERM: 'xterm' }
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: home, env })
    let shown = ''
    let next = 0
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      const [question = '', keys = ''] = answers[next] ?? []
      if (question === '' || !shown.includes(question)) return
      next++
      child.stdin.write(keys)
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect({ code, asked: next }).toEqual({ code: 0, asked: answers.length })
    const text = readFileSync(join(home, 'shop/free-tea.yaml'), 'utf8')
    for (const line of ['root_type: vAtom::vAtomType::FolderContainerType', 'title: Free tea', 'redeemable: true'])
      expect(text).toContain(`    ${line}\n`)
    expect(text).toContain('cloneable: false')
    expect(await vatom(['template', 'create', 'shop'])).toMatchObject({ code: 0 })
  },
  30_000,
)
