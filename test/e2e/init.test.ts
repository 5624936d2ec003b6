import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newMachine } from '../support/binary.ts'
import { type Answer, continued, hasTerminal, onTerminal } from '../support/terminal.ts'

/** What a person types when a question appears. */
const answers: readonly Answer[] = [
  ['Name of the template', '1st\r'],
  ['1st cannot be the name of a template: begin with a letter', 'FreeTea\r'],
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

test.runIf(hasTerminal())(
  'Ctrl-Z at a question stops the command, and it goes on with what was typed',
  async () => {
    const { home } = newMachine()
    const others = '--title Tea --category Teas --root-type vAtom::vAtomType --redeemable --cloneable'
    const { code, shown } = await continued(home, `init shop ${others}`, [
      ['Name of the template', 'FreeTe\u001a'],
      ['stopped', ''],
      [' FreeTe\u001b', 'a\r'],
    ])
    expect({ code, shown }).toEqual({ code: 0, shown: expect.not.stringContaining('interrupted') })
    expect(readFileSync(join(home, 'shop/free-tea.yaml'), 'utf8')).toContain('$publisher::FreeTea::v1')
  },
  30_000,
)
