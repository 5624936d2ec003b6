import { describe, expect, test } from 'vitest'
import { coupon, red, template, variation } from '../../fixtures/yaml.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

const tea = 'local.vatom::Tea::v1'

/** A desk with two templates, a variation Red of each, and a face and an action of the first. */
async function desk(): Promise<Desk> {
  const made = await publisher()
  made.file('templates.yaml', `${template()}---\n${template(tea)}`)
  made.file(
    'variations.yaml',
    `${variation()}---\n${variation(`${tea}::Red`, tea)}---\n${variation(`${tea}::Green`, tea)}`,
  )
  await made.json('template', 'create', 'templates.yaml')
  await made.json('variation', 'create', 'variations.yaml')
  await made.json('face', 'register', '--template', coupon, '--view-mode', 'icon', '--display-url', 'native://image')
  return made
}

describe('a whole part of a name stands for the only record that has it', () => {
  test.each([
    [['template', 'get', 'Coupon'], `template: ${coupon}`],
    [['variation', 'get', 'Coupon::v1::Red'], `template_variation: ${red}`],
    [['variation', 'render', 'Green'], `# ${tea}::Green, over ${tea}`],
    [['face', 'list', 'Coupon'], 'native://image'],
    [['face', 'list', '--template', 'Coupon'], 'native://image'],
    [['face', 'select', 'Coupon', '--platform', 'web', '--view-mode', 'icon'], coupon],
    [['action', 'list', 'Tea'], 'No actions'],
    [['template', 'publish', 'Tea', '--confirm', tea, '--dry-run'], `Would publish template ${tea}`],
    [['template', 'delete', 'Tea', '--dry-run'], `Would delete template ${tea}`],
    [['variation', 'delete', 'Green', 'Coupon::v1::Red', '--dry-run'], `Would delete variation ${tea}::Green`],
  ])('%j', async (words, shown) => {
    const { vatom } = await desk()
    const { code, out, err } = await vatom(...words)
    expect({ code, shown: out + err }).toEqual({ code: 0, shown: expect.stringContaining(shown) })
  })
  test('also where its accents are written in the other form of Unicode', async () => {
    const { vatom, json, file } = await desk()
    const apart = 'local.vatom::Di\u0301a::v1'
    file('apart.yaml', template(apart))
    await json('template', 'create', 'apart.yaml')
    expect(await vatom('template', 'get', 'D\u00eda')).toMatchObject({ code: 0, out: expect.stringContaining(apart) })
    file('composed.yaml', template(apart.normalize('NFC')))
    await json('template', 'create', 'composed.yaml')
    expect(await vatom('template', 'get', 'D\u00eda')).toMatchObject({
      code: 2,
      err: expect.stringContaining('can be one of 2'),
    })
  })
  test('variation list --template lists those of that template alone', async () => {
    const { vatom } = await desk()
    const { code, out } = await vatom('variation', 'list', '--template', 'Tea')
    expect({ code, lines: out.trimEnd().split('\n').length }).toEqual({ code: 0, lines: 2 })
    expect(out).not.toContain(coupon)
  })
})

describe('one that several have', () => {
  test.each([
    [['variation', 'get', 'Red'], [red, `${tea}::Red`].map((name) => `vatom variation get ${name}`)],
    [['variation', 'render', 'Green', 'Red'], [`vatom variation render Green ${red}`]],
    [['variation', 'list', '--template', 'v1'], [`vatom variation list --template ${tea}`]],
    [['face', 'list', 'v1'], [`vatom face list ${coupon}`]],
    [['emit', 'Red', '--num', '3', '--dry-run'], [`vatom emit ${tea}::Red --num 3 --dry-run`]],
    [['--timeout', '9', 'variation', 'list', '--template=v1'], [`vatom --timeout 9 variation list --template=${tea}`]],
    [
      ['discover', '--filter', 'category = Tickets', '--filter', 'template = v1', '--any', '--count'],
      [`vatom discover --filter 'category = Tickets' --filter 'template = ${tea}' --any --count`],
    ],
    [
      ['discover', '--scope', `template=${coupon},v1`, '--count'],
      [`vatom discover --scope template=${coupon},${tea} --count`],
    ],
  ])('is refused with the whole command, as often as it would do: %j', async (words, commands) => {
    const { vatom, json } = await desk()
    const { code, out, err } = await vatom(...words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    for (const command of commands) expect(err).toContain(`  ${command}\n`)
    expect(await json('template', 'list')).toHaveLength(2)
  })
  test('is replaced in the command where it stands, and not within a flag', async () => {
    const { file, vatom } = await desk()
    const names = [`${coupon}::input`, `${tea}::input`]
    file('more.yaml', names.map((name, at) => variation(name, [coupon, tea][at])).join('---\n'))
    await vatom('variation', 'create', 'more.yaml')
    const { err } = await vatom('emit', 'input', '--no-input')
    for (const name of names) expect(err).toContain(`  vatom emit ${name} --no-input\n`)
  })
  test('is chosen from a list on a terminal', async () => {
    const { run } = await desk()
    const { code, out } = await run(['variation', 'get', 'Red'], { tty: true, answers: { 'Which variation?': '' } })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`template_variation: ${red}`) })
  })
})

test.each([
  ['publish Red', [`${tea}::Red`]],
  ['delete Red --yes', [`${tea}::Red`]],
  ['get Red', [red, `${tea}::Red`]],
])('variation %s offers a person what it takes: %j', async (words, offered) => {
  const { run, json } = await desk()
  await json('template', 'publish', coupon, '--confirm', coupon)
  await json('variation', 'publish', red, '--confirm', red)
  const asked = { tty: true, columns: 200, answers: { 'Which variation?': '' } }
  const { err } = await run(['variation', ...words.split(' ')], asked)
  for (const name of [red, `${tea}::Red`]) expect(err.includes(name)).toBe(offered.includes(name))
})

test.each([
  [['variation', 'list', '--template', 'NOPE'], 'vatom template list'],
  [['variation', 'list', '--template', 'local.vatom::Coupom::v1'], `did you mean ${coupon}?`],
  [['face', 'list', '--template', 'local.vatom::Coupom::v1'], `did you mean ${coupon}?`],
  [['action', 'list', 'NOPE'], 'vatom template list'],
  [['template', 'get', 'NOPE'], 'vatom template list'],
  [['template', 'get', 'Coupom'], `did you mean ${coupon}?`],
  [['template', 'delete', 'NOPE', '--yes'], 'vatom template list'],
])('a template that does not exist is an error, not an empty list: %j', async (words, hint) => {
  const { vatom } = await desk()
  const { code, out, err } = await vatom(...words)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(hint)
})

describe('a name that is not clear suggests no command that cannot be undone', () => {
  const list = (kind: string, given: string, names: readonly string[]) =>
    `hint: names that contain ${given}: ${names.join(', ')}; to list all: vatom ${kind} list\n`
  test.each([
    [['template', 'delete', 'pon', '--yes'], list('template', 'pon', [coupon])],
    [['template', 'delete', 'v1', '--yes'], list('template', 'v1', [coupon, tea])],
    [['variation', 'delete', 'Red', '--yes'], list('variation', 'Red', [red, `${tea}::Red`])],
    [['template', 'delete', 'v', '--yes'], list('template', 'v', [coupon, tea])],
    [['template', 'publish', 'pon', '--confirm', 'pon'], list('template', 'pon', [coupon])],
    [['variation', 'publish', 're', '--confirm', 're'], list('variation', 're', [red, `${tea}::Red`, `${tea}::Green`])],
    [['variation', 'delete', 'gree', '--yes'], list('variation', 'gree', [`${tea}::Green`])],
    [['action', 'delete', 'edee', '--yes'], list('action', 'edee', [`${tea}::Action::Redeem`])],
    [['face', 'delete', 'con', '--yes'], 'hint: '],
  ])('%j', async (words, hint) => {
    const { vatom, json } = await desk()
    await json('action', 'register', '--name', `${tea}::Action::Redeem`, '--reactor', 'blockv://v1/Redeem')
    const { code, out, err } = await vatom(...words)
    // A face is none of its letters: there it is unknown, not unclear.
    expect({ code, out }).toEqual({ code: words[0] === 'face' ? 1 : 2, out: '' })
    expect(err).toContain(hint)
    const printed = (await vatom(...words, '--json')).out
    for (const text of [err, printed]) expect(text).not.toMatch(/did you mean|vatom \w+ (delete|publish)/)
    expect(JSON.parse(printed).error.hint).toBe(/hint: (.*)\n$/.exec(err)?.[1])
  })
  test('of a face that does not exist, the hint lists all: what was given is no template', async () => {
    const { vatom } = await desk()
    for (const id of ['nope', '0', '0b0b0b0b'])
      expect(await vatom('face', 'delete', id, '--yes')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/hint: list what exists: vatom face list\n$/),
      })
  })

  test('a misspelt name has the name that is near, in no command', async () => {
    const { vatom } = await desk()
    expect((await vatom('template', 'delete', 'Coupom', '--yes')).err).toContain(`did you mean ${coupon}?\n`)
  })
})

test('--confirm wants the whole name', async () => {
  const { vatom, json } = await desk()
  expect(await vatom('template', 'publish', 'Tea', '--confirm', 'Tea')).toMatchObject({
    code: 2,
    err: expect.stringContaining(`the name is ${tea}`),
  })
  expect(await json('template', 'get', tea)).toMatchObject({ properties: { unpublished: true } })
})

test('emit without a name lets a person choose among their variations', async () => {
  const { run, json, vatom } = await desk()
  const { code, err } = await run(['emit'], { tty: true, columns: 200, answers: { 'Which variation?': '' } })
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`Emitted 1 vAtom of ${red} on`) })
  expect(await json('discover', '--mine')).toMatchObject({ results: [{ id: expect.any(String) }] })
  expect(await vatom('emit', '--dry-run')).toMatchObject({ code: 2, out: '' })
})
