import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { createOutput } from '../../../src/cli/io/output.ts'
import { createPaint } from '../../../src/cli/io/paint.ts'
import { printTable, tableLines } from '../../../src/cli/io/table.ts'
import { render } from '../../../src/cli/io/text.ts'
import { action, face, red, template, variation } from '../../fixtures/yaml.ts'
import { hostWith } from '../../support/host.ts'
import { Capture } from '../../support/streams.ts'
import { publisher } from '../../support/vatom.ts'

test('a table has as many rows as there are', async () => {
  const screen = { isTTY: true, columns: 80, paint: await createPaint(0) }
  const rows = Array.from({ length: 200_000 }, (_, index) => [String(index), 'x'])
  expect(tableLines(['N', 'X'], rows, screen)).toHaveLength(200_001)
})

test.each(['laid out', 'printed'] as const)('Ctrl-C ends a long table while it is %s', async (when) => {
  const interrupted = new AbortController()
  const stdout = new Capture(true)
  const output = await createOutput(hostWith({ stdout, signal: interrupted.signal }), {
    json: false,
    quiet: false,
    pager: false,
    color: undefined,
  })
  const rows = Array.from({ length: 50_000 }, (_, index) => [String(index), 'x'])
  const isDue = () => when === 'laid out' || stdout.text !== ''
  const look = () => (isDue() ? interrupted.abort() : setImmediate(look))
  setImmediate(look)
  await expect(printTable(null, ['N', 'X'], rows, output)).rejects.toThrow('aborted')
  expect(stdout.text.split('\n').length).toBeLessThan(when === 'laid out' ? 2 : 10_000)
})

test('columns of wide characters, and of what was cut, are aligned with those of others', async () => {
  const screen = { isTTY: true, columns: 24, paint: await createPaint(0) }
  const lines = tableLines(
    ['N', 'X'],
    [
      ['…カード', 'a'],
      ['…card', 'b'],
      ['card', 'c'],
    ],
    screen,
  ).map(render)
  expect(new Set(lines.map((line) => stringWidth(line))).size).toBe(1)
})

const long = 'VeryLongNameOfSomething'.repeat(4)
const template1 = `$publisher::${long}::v1`

/** Every list that there is, of things with long names. */
async function longNames() {
  const desk = await publisher()
  const make = async (stdin: string, ...args: string[]) =>
    expect(await desk.run([...args, '-'], { stdin })).toMatchObject({ code: 0 })
  await make(template(template1, 'public: true\n'), 'template', 'create')
  await make(
    variation(`${template1}::Red`, template1).replace('Red coupon', `Red ${'coupon '.repeat(40)}`),
    'variation',
    'create',
  )
  await make(face(template1).replaceAll('native://image', `https://example.com/${long}/icon`), 'face', 'register')
  await make(action().replaceAll('$publisher::Coupon::v1', template1), 'action', 'register')
  const handler = ['--reactor', `local.vatom://${long}`, '--url', `https://example.com/${long}`]
  desk.file(`${long}.txt`, 'text')
  const address = ['--base-url', `https://${'host.'.repeat(20)}example.com`, '--app-id', long]
  for (const args of [
    ['action', 'handler', 'register', ...handler],
    ['asset', 'upload', `${long}.txt`],
    ['context', 'add', 'staging-with-a-long-name', ...address],
    ['template', 'publish', template1, '--confirm', template1.replace('$publisher', 'local.vatom')],
    ['variation', 'publish', `${template1}::Red`, '--confirm', `local.vatom::${long}::v1::Red`],
    ['emit', `${template1}::Red`, '--num', '2'],
  ])
    await desk.json(...args)
  return desk
}

test('the tables of all lists fit the terminal, and where there is room nothing is cut', async () => {
  const { run } = await longNames()
  const lists = [
    'template list',
    'variation list',
    `face list ${template1}`,
    `action list ${template1}`,
    'action handler list',
  ]
  for (const list of [...lists, 'asset list', 'context list', 'discover --mine']) {
    const shown = async (columns: number) => {
      const args = [...list.split(' '), '--no-color', '--context', 'local']
      const { code, out } = await run(args, { tty: true, columns })
      expect(code).toBe(0)
      return out.trimEnd().split('\n')
    }
    for (const columns of [80, 200]) {
      const lines = (await shown(columns)).filter((line) => !line.startsWith('  http'))
      expect(lines.length).toBeGreaterThan(1)
      expect([list, columns, lines.filter((line) => stringWidth(line) > columns)]).toEqual([list, columns, []])
    }
    expect((await shown(1000)).join()).not.toContain('…')
  }
})

test('a list on a terminal marks what is published and what is a draft by colour and word', async () => {
  const { file, vatom, run } = await publisher()
  file('one.yaml', template('$publisher::One::v1'))
  file('two.yaml', template('$publisher::Two::v1'))
  await vatom('template', 'create', 'one.yaml', 'two.yaml')
  await vatom('template', 'publish', '$publisher::Two::v1', '--confirm', '$publisher::Two::v1')
  const shown = (await run(['template', 'list'], { tty: true })).out
  expect(shown).toContain('local.vatom::One::v1  \u001b[33mdraft    \u001b[39m')
  expect(shown).toContain('local.vatom::Two::v1  \u001b[32mpublished\u001b[39m')
  const plain = (await run(['template', 'list', '--no-color'], { tty: true })).out
  expect(plain).toMatch(/^NAME +STATE +PUBLIC\n.*::One::v1 +draft\n.*::Two::v1 +published\n$/m)
  expect(plain).not.toContain('\u001b')
  expect((await vatom('template', 'list')).out).toBe(
    'local.vatom::One::v1\tdraft\t\nlocal.vatom::Two::v1\tpublished\t\n',
  )
})

describe('a narrow terminal', () => {
  const screen = async (columns: number) => ({ isTTY: true, columns, paint: await createPaint(0) })
  const textOf = async (head: readonly string[], rows: readonly (readonly string[])[], columns: number) =>
    tableLines(head, rows, await screen(columns)).map((line) => (typeof line === 'string' ? line : line.text))

  test('shortens titles and names before states, which are read as words', async () => {
    const row = [
      '1df923ed',
      'Free coffee for everybody',
      'local.vatom::Coupon::v1::Any',
      'activated, draft, in b69c77ae',
    ]
    const [, line = ''] = await textOf(['ID', 'TITLE', 'VARIATION', 'STATE'], [row], 80)
    expect(line).toContain('activated, draft, in b69c77ae')
    expect(line.length).toBeLessThanOrEqual(80)
  })

  test('cuts heads that are wider than their cells, so that no row is broken', async () => {
    const head = ['NAME', 'SAVED', 'TEMPLATES', 'VARIATIONS', 'VATOMS', 'ASSETS', 'USERS']
    const lines = await textOf(head, [['one', '2026-11-22T12:03:33Z', '9', '11', '16', '0', '0']], 50)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(50)
    expect(lines[1]).toContain('2026-11-22')
    expect((await textOf(head, [['one', '2026-11-22T12:03:33Z', '9', '11', '16', '0', '0']], 80))[0]).not.toContain('…')
  })

  test('leaves out last columns before it cuts names for the sake of an address', async () => {
    const name = 'local.vatom::CoffeeCoupon::v1::Action::Transfer'
    const [head = '', line = ''] = await textOf(
      ['NAME', 'REACTOR', 'WAIT', 'GUESTS', 'TIMEOUT'],
      [[name, 'blockv://v1/AcquireWithCoins', 'yes', 'no', '10000']],
      80,
    )
    expect(head).toMatch(/^NAME +REACTOR +WAIT +GUESTS$/)
    expect(line).toMatch(/^local\.vatom::CoffeeCoupon::v1::Action::Transfer +….*AcquireWithCoins +yes +no$/)
  })

  test('names the columns that are left out, once, and only on a terminal', async () => {
    const { run } = await publisher()
    await run(['template', 'create', '-'], { stdin: template() })
    await run(['face', 'register', '-'], { stdin: face() })
    const narrow = { tty: true, columns: 50 }
    expect((await run(['face', 'list'], narrow)).err).toMatch(
      /^No room for (?:[A-Z]+, )*RESOURCES: use a wider terminal,\nor add --json\n$/,
    )
    expect((await run(['face', 'list'], { tty: true, columns: 300 })).err).toBe('')
    expect((await run(['face', 'list'], { columns: 50 })).err).toBe('')
    expect((await run(['face', 'list', '--json'], narrow)).err).toBe('')
  })

  test('names them also where every page of vAtoms is listed', async () => {
    const { run } = await publisher()
    await run(['template', 'create', '-'], { stdin: template() })
    await run(['variation', 'create', '-'], { stdin: variation() })
    await run(['emit', red])
    for (const all of [[], ['--all']])
      expect(await run(['inventory', ...all], { tty: true, columns: 30 })).toMatchObject({
        code: 0,
        err: expect.stringMatching(/^No room for VARIATION, STATE:\nuse a wider terminal, or add\n--json\n$/),
      })
    expect((await run(['inventory', '--all'], { columns: 30 })).err).toBe('')
  })

  test('shows times whole, and leaves out last columns instead', async () => {
    const head = ['NAME', 'SAVED', 'TEMPLATES', 'VARIATIONS', 'VATOMS', 'ASSETS', 'USERS']
    const row = ['before-the-launch', '2026-11-22T12:03:33Z', '9', '11', '16', '0', '0']
    const lines = await textOf(head, [row], 80)
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([head.slice(0, 6), row.slice(0, 6)])
  })

  test('shows addresses of assets, which are there to be copied, whole below their rows', async () => {
    const { file, run } = await publisher()
    await run(['asset', 'upload', file('card.txt', 'card'), file('beer.txt', 'beer')])
    const urls = (await run(['asset', 'list'])).out.match(/http\S+/g)
    const narrow = await run(['asset', 'list', '--no-color'], { tty: true, columns: 80 })
    const lines = narrow.out.trimEnd().split('\n')
    expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['ID', 'NAME', 'TYPE', 'SIZE'],
      [expect.any(String), 'card.txt', 'text/plain', '4 B'],
      [urls?.[0]],
      [expect.any(String), 'beer.txt', 'text/plain', '4 B'],
      [urls?.[1]],
    ])
    expect(narrow.err).not.toContain('wider')
    const wide = await run(['asset', 'list', '--no-color'], { tty: true, columns: 200 })
    expect(wide.out.split('\n')[0]).toMatch(/SIZE +URL$/)
  })

  test('says of addresses beside others that they are not whole, and how to see them', async () => {
    const { json, run } = await publisher()
    const address = `https://${'host.'.repeat(20)}example.com`
    await json('context', 'add', 'staging', '--base-url', address, '--app-id', 'x')
    const err = 'Not whole: ADDRESS: use a wider terminal, or add --json\n'
    expect(await run(['context', 'list'], { tty: true, columns: 80 })).toMatchObject({ code: 0, err })
    expect(await run(['context', 'list'], { tty: true, columns: 300 })).toMatchObject({ err: '' })
  })

  test('shortens a long name before short words beside it', async () => {
    const [, line = ''] = await textOf(
      ['NAME', 'STATE', 'PUBLIC'],
      [['local.vatom::BirthdayCard::v1::Blue', 'draft', 'public']],
      40,
    )
    expect(line).toMatch(/^….*::Blue +draft +public$/)
  })
})
