import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { entry, newMachine } from '../support/binary.ts'
import { hasTerminal, onTerminal } from '../support/terminal.ts'

const name = 'local.vatom::Shop::v1'

/** A machine with a catalog whose template is on its service; each test has it say something else there. */
const home = mkdtempSync(join(tmpdir(), 'vatom-test-'))
const file = join(home, 'shop/shop.yaml')
let ours = ''
beforeAll(async () => {
  const { vatom } = newMachine(entry, home)
  expect(await vatom(['init', 'shop'])).toMatchObject({ code: 0 })
  expect(await vatom(['template', 'create', 'shop'])).toMatchObject({ code: 0 })
  ours = readFileSync(file, 'utf8').replace('title: Shop', 'title: Store')
  return () => rmSync(home, { recursive: true, force: true })
}, 30_000)
beforeEach(() => writeFileSync(file, ours))
const text = () => readFileSync(file, 'utf8')

test.runIf(hasTerminal()).each([
  ['y', 0, 'title: Shop'],
  ['n', 1, 'title: Store'],
])(
  'on a terminal pull asks before it changes a file, and the answer %s counts',
  async (answer, code, kept) => {
    const run = await onTerminal(home, 'pull shop', [['Change shop/shop.yaml?', `${answer}\r`]])
    expect(run).toMatchObject({ code, asked: 1, shown: expect.stringContaining('1 document differs from the service') })
    expect(text()).toContain(kept)
  },
  30_000,
)

test.runIf(hasTerminal()).each([
  [`template publish ${name} --dry-run`, 0, `Would publish template ${name}`],
  [`template delete ${name} --dry-run`, 0, `Would delete template ${name}`],
  ['pull shop --dry-run', 0, `Would change template ${name}`],
  ['pull shop --diff', 0, '+    title: Shop'],
])(
  'on a terminal %s asks nothing',
  async (words, code, said) => {
    expect(await onTerminal(home, words)).toMatchObject({ code, asked: 0, shown: expect.stringContaining(said) })
    expect(text()).toContain('title: Store')
  },
  30_000,
)
