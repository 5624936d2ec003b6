import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newMachine } from '../support/binary.ts'
import { type Answer, hasTerminal, onTerminal } from '../support/terminal.ts'

/** What a person types when a question appears. */
const answers: readonly Answer[] = [
  ['Name of the template', '1st\r'],
  ['1st cannot be the name of a template: begin with a letter', '\u0015FreeTea\r'],
  ['Title that people see', '\r'],
  ['Category that viewers group by', '\r'],
  ['Kind of vAtom', '\u001b[B\r'],
  ['Can it be redeemed, by its owner or any merchant?', 'y\r'],
  ['May its owner share copies of it?', '\r'],
]

test.runIf(hasTerminal())(
  'on a terminal init is a wizard',
  async () => {
    const { home, vatom } = newMachine()
    const { code, asked } = await onTerminal(home, 'init shop', answers)
    expect({ code, asked }).toEqual({ code: 0, asked: answers.length })
    const text = readFileSync(join(home, 'shop/free-tea.yaml'), 'utf8')
    for (const line of ['root_type: vAtom::vAtomType::FolderContainerType', 'title: Free tea', 'redeemable: true'])
      expect(text).toContain(`    ${line}\n`)
    expect(text).toContain('cloneable: false')
    expect(await vatom(['template', 'create', 'shop'])).toMatchObject({ code: 0 })
  },
  30_000,
)
