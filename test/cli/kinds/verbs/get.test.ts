import { describe, expect, test } from 'vitest'
import { action, coupon, red, template, variation } from '../../../fixtures/yaml.ts'
import { stocked, transports } from '../../../support/desks.ts'
import { type Desk, publisher } from '../../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('template get prints the document as YAML, and takes $publisher', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    const { out } = await vatom('template', 'get', '$publisher::Coupon::v1')
    expect(out).toContain(`template: ${name}\n`)
    expect(out).toContain('title: Coupon\n')
  })

  test('template get of an unknown name exits 1, and says how to see those there are', async () => {
    const { vatom } = await publisher({ transport })
    expect(await vatom('template', 'get', name)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(new RegExp(`${name}[^]*vatom template list`)),
    })
  })

  test('what get prints can be validated again', async () => {
    const { vatom, run } = await stocked(transport)
    for (const [kind, one] of [
      ['template', name],
      ['variation', red],
    ] as const) {
      const { out } = await vatom(kind, 'get', one)
      expect(await run([kind, 'validate', '-'], { stdin: out })).toMatchObject({ code: 0 })
    }
  })
})

test('a text that YAML 1.1 takes for a boolean is printed in quotes', async () => {
  const { file, json, vatom } = await publisher()
  await json('template', 'create', file('coupon.yaml', template().replace('title: Coupon', 'title: "No"')))
  expect((await vatom('template', 'get', name)).out).toContain('title: "No"\n')
})

test('a key << that was quoted is printed in quotes: without them it would merge', async () => {
  const { file, json, vatom, run } = await publisher()
  file('coupon.yaml', template().replace('color: blue', 'color: { "<<": null }'))
  await json('template', 'create', 'coupon.yaml')
  const { out } = await vatom('template', 'get', name)
  expect(out).toContain('"<<": null\n')
  expect(await run(['template', 'validate', '-'], { stdin: out })).toMatchObject({ code: 0 })
})

const names = { template: coupon, variation: `${coupon}::Red`, action: `${coupon}::Action::Transfer` }

/** Texts that YAML reads otherwise when they are not quoted, and such as a terminal gets escaped. */
const texts: Readonly<Record<string, string>> = {
  words: 'yes',
  digits: '012',
  exponent: '1e3',
  nothing: 'null',
  tilde: '~',
  star: '*x',
  hash: '# x',
  colon: 'a: b',
  dash: '- x',
  bang: '!x',
  quotes: `"it's"`,
  lines: 'one\n  two\n\nthree\n',
  ends: ' a ',
  empty: '',
  tab: 'a\tb',
  tabbed: 'a\n\tb',
  returns: 'a\r\nb',
  control: '\u0000\u001b[31m',
  hidden: 'a\u200bb\u00ad\u202e\ufeff',
  separator: 'a\u2028b\u0085',
  backslash: 'a\\u200b',
  mixed: 'a\\\u200b\n\\n"',
  emoji: '👍🏽',
  long: 'word '.repeat(60),
}

const section = JSON.stringify({ ...texts, deep: { list: [1, 1.5, -0, true, null, '', [], {}, { 'a: b': '#' }] } })

const rich = {
  template: template(undefined, 'cloneable: true\npublic: true\n').replace('color: blue', `rich: ${section}`),
  variation: variation(
    undefined,
    undefined,
    'auto_create_on_acquire: true\ncloning_gain: 0.5\nmax_clones: 3\n',
  ).replace('color: red', `rich: ${section}`),
  action: action(
    'Transfer',
    'wait: true\ntimeout: 2500\nlimit_per_user: 3\nstate_impact: [this.owner]\npolicy: { pre: [], post: [] }\nconfig: { auto_create_mode: claim }\n',
  ),
} as const

type Noun = keyof typeof rich

const nouns: readonly Noun[] = ['template', 'variation', 'action']

async function designed(options: Parameters<typeof publisher>[0] = {}): Promise<Desk> {
  const desk = await publisher(options)
  for (const noun of nouns) {
    const stdin = rich[noun]
    const made = await desk.run([noun, noun === 'action' ? 'register' : 'create', '-'], { stdin })
    expect(made).toMatchObject({ code: 0 })
  }
  return desk
}

test.each(transports)('on the %s transport what get prints is taken by update as unchanged', async (transport) => {
  const { run } = await designed({ transport })
  for (const noun of nouns)
    for (const options of [{}, { tty: true, columns: 80 }]) {
      const get = await run([noun, 'get', names[noun], '--yaml', '--no-color'], options)
      expect(get).toMatchObject({ code: 0, out: expect.stringContaining(names[noun]) })
      const stdin = get.out
      expect(await run([noun, 'update', '-'], { stdin })).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Unchanged/),
      })
    }
})

test('--yaml is what get prints anyway', async () => {
  const { vatom } = await designed()
  for (const noun of nouns)
    expect(await vatom(noun, 'get', names[noun], '--yaml')).toEqual(await vatom(noun, 'get', names[noun]))
})

test('--yaml and --json exclude each other', async () => {
  const { vatom } = await designed()
  for (const noun of nouns) {
    const { code, out, err } = await vatom(noun, 'get', names[noun], '--yaml', '--json')
    expect({ code, error: JSON.parse(out).error.code }).toEqual({ code: 2, error: 'usage' })
    expect(err).toContain('--yaml and --json exclude each other')
  }
})

test('a change of one text is seen', async () => {
  const { vatom, run } = await designed()
  const { out } = await vatom('template', 'get', coupon, '--yaml')
  const stdin = out.replace('012', '013')
  expect(stdin).not.toBe(out)
  expect(await run(['template', 'update', '-'], { stdin })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Updated/),
  })
})
