import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { usage } from '../../../src/cli/failure/failure.ts'
import { createPrompt, type Prompt } from '../../../src/cli/io/prompt.ts'
import { pipelines } from '../../../src/cli/pipeline.ts'
import { coupon, template } from '../../fixtures/yaml.ts'
import { gate } from '../../support/action-handler.ts'
import { hostWith } from '../../support/host.ts'
import { answering, Capture, input } from '../../support/streams.ts'
import { publisher } from '../../support/vatom.ts'

const root = join(import.meta.dirname, '../../../src/cli')
const asking = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== join('io', 'prompt.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))
  // Their questions are asked because an argument is missing or not clear; that argument answers them.
  .filter(({ name }) => ![join('kinds', 'short-name.ts'), join('commands', 'context', 'use.ts')].includes(name))
  // Its question takes the place of the flag that it is given.
  .filter(({ name }) => name !== join('io', 'secret.ts'))
  .filter(({ text }) => /(?:prompt\.(?:text|choose|secret|confirm|needPerson)|\bawait confirmed)\(/.test(text))

/** The commands that each file that asks belongs to, one or two of a noun: their help has the flags. */
const commandsOf: Readonly<Record<string, readonly string[]>> = {
  'service/sign-in.ts': ['login'],
  'service/guest-session.ts': ['logout'],
  'commands/snapshot/delete.ts': ['snapshot', 'delete'],
  'commands/snapshot/load.ts': ['snapshot', 'load'],
  'service/snapshot-before.ts': ['snapshot', 'load'],
  'commands/act/ask-before-final.ts': ['act'],
  'commands/emit.ts': ['emit'],
  'init/questions.ts': ['init'],
  'commands/auth.ts': ['auth', 'token'],
  'commands/reset.ts': ['reset'],
  'kinds/verbs/delete.ts': ['face', 'delete'],
  'catalog/pull/choices.ts': ['pull'],
  'catalog/apply/consent.ts': ['apply'],
  'commands/user/delete.ts': ['user', 'delete'],
  'commands/user/register.ts': ['user', 'register'],
  'commands/user/reset-password.ts': ['user', 'reset-password'],
  'commands/user/token/verify.ts': ['user', 'token verify'],
  'kinds/confirmations.ts': ['template', 'create', 'publish', 'delete'],
}

test.each(asking)('every question of $name has a flag that answers it', async ({ name, text }) => {
  const { vatom } = await publisher()
  const words = commandsOf[name.replaceAll('\\', '/')]
  if (words === undefined) throw new Error(`which command asks in ${name}?`)
  const [noun = '', ...verbs] = words
  const helps = await Promise.all(
    (verbs.length > 0 ? verbs : [[]]).map((verb) =>
      vatom(noun, ...[verb].flat().flatMap((word) => word.split(' ')), '--help'),
    ),
  )
  const out = helps.map((help) => help.out).join('')
  const flags = [...text.matchAll(/['"`](--[a-z-]+)/g)].map(([, flag = '']) => flag)
  expect(flags.length).toBeGreaterThan(0)
  for (const flag of new Set(flags)) expect(out).toMatch(new RegExp(`^ .*${flag}\\b`, 'm'))
})

/** Questions to a person at a terminal, of whom nothing is asked. */
function dryPrompt() {
  const screen = new Capture(true)
  const host = hostWith({ stdin: input('yes\n', true), stdout: screen, stderr: screen })
  const prompt = createPrompt(host, { timeout: 1, input: true, pager: false }, () => true)
  return { prompt, screen }
}

test('under a dry run nothing is asked, and what has a usual answer has it', async () => {
  const { prompt, screen } = dryPrompt()
  expect(prompt.canAsk()).toBe(false)
  expect(() => prompt.needPerson('The name', '--name')).not.toThrow()
  expect(await prompt.text('Title', '--title', { preset: 'Coffee' })).toBe('Coffee')
  expect(await prompt.retyped('Type the name', '--confirm', 'Coffee')).toBe('Coffee')
  expect(await prompt.choose('Kind', '--kind', { plain: 'a plain one', folder: 'a folder' })).toBe('plain')
  expect(await prompt.confirm('Sure?', '--yes', undefined)).toBe(true)
  expect(screen.text).toBe('')
})

test.each<[what: string, ask: (prompt: Prompt) => Promise<string>]>([
  ['a text', (prompt) => prompt.text('Title', '--answer')],
  ['a secret', (prompt) => prompt.secret('Password', '--answer')],
])('under a dry run %s without a usual answer must be given with its flag', async (_, ask) => {
  const { prompt, screen } = dryPrompt()
  await expect(ask(prompt)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/is missing, and a dry run asks nothing$/),
    hint: 'give it with --answer',
  })
  expect(screen.text).toBe('')
})

const login = ['login', '--base-url', 'http://127.0.0.1:9', '--app-id', 'x']

test.each<[args: readonly string[], flag: string]>([
  [['template', 'delete', coupon], '--yes'],
  [['template', 'publish', coupon], '--confirm NAME'],
  [['reset'], '--yes'],
  [['template', 'create', 'final.yaml'], '--confirm local.vatom::Final::v1'],
  [['template', 'create', 'charged.yaml'], '--accept-charges'],
  [login, '--email or --phone'],
  [[...login, '--email', 'a@b.c'], '--password-stdin'],
])('%j with nobody to ask exits 2 at once and names %s', async (args, flag) => {
  const { file, json, vatom, run } = await publisher()
  file('coupon.yaml', template())
  file('final.yaml', template('$publisher::Final::v1').replace('unpublished: true', 'unpublished: false'))
  file('charged.yaml', template('$publisher::Charged::v1', 'eth: { network: mainnet, fields: {} }\n'))
  await json('template', 'create', 'coupon.yaml')
  for (const ask of [() => vatom(...args), () => run([...args, '--no-input'], { tty: true })])
    expect(await ask()).toMatchObject({ code: 2, out: '', err: expect.stringContaining(flag) })
})

test.each(['CI', ...Object.keys(pipelines)])(
  'a terminal of a pipeline, where %s is set, is asked nothing',
  async (name) => {
    const screen = new Capture(true)
    const host = hostWith({ stdin: input('yes\n', true), stdout: screen, stderr: screen, env: { [name]: 'true' } })
    const prompt = createPrompt(host, { timeout: 1, input: true, pager: false }, () => false)
    expect(prompt.canAsk()).toBe(false)
    await expect(prompt.confirm('Sure?', '--yes', undefined)).rejects.toMatchObject({
      exitCode: 2,
      message: `This needs an answer, and ${name} is set: a pipeline is asked nothing: Sure?`,
      hint: 'to answer yes, add --yes',
    })
    expect(screen.text).toBe('')
  },
)

test('a question shows names and values escaped, whatever they hold', async () => {
  const screen = new Capture(true)
  const host = hostWith({ stdin: answering(screen, { Delete: 'yes', Choose: '' }), stdout: screen, stderr: screen })
  const prompt = createPrompt(host, { timeout: 1, input: true, pager: false }, () => false)
  const name = '\u001b]0;x\u0007\u202e\u009b2J\u{e0041}'
  await prompt.confirm(`Delete ${name}?`, '--yes', undefined)
  await prompt.choose(`Choose ${name}`, '--kind', { one: name, two: 'two' })
  expect(screen.text).toContain('\\u001b]0;x\\u0007\\u202e\\u009b2J\\udb40\\udc41')
  for (const raw of ['\u001b]', '\u0007', '\u202e', '\u009b', '\u{e0041}']) expect(screen.text).not.toContain(raw)
})

test('a question that is wider than the terminal is broken between words', async () => {
  const screen = Object.assign(new Capture(true), { columns: 60 })
  const host = hostWith({ stdin: answering(screen, { Replace: 'n' }), stdout: screen, stderr: screen })
  const prompt = createPrompt(host, { timeout: 1, input: true, pager: false }, () => false)
  const words = 'Replace all data of the local context by the snapshot before of 2026-11-22T15:50:02Z with 12 vAtoms?'
  await prompt.confirm(words, '--yes', undefined)
  const lines = screen.text.split('\n')
  expect(lines.find((line) => line.includes('Replace'))).toMatch(/local context by the$/)
  expect(lines.some((line) => line.startsWith('snapshot before of 2026-11-22T15:50:02Z with 12'))).toBe(true)
})

test('a question is whole on a terminal that does not say how wide it is', async () => {
  const screen = Object.assign(new Capture(true), { columns: 0 })
  const host = hostWith({ stdin: answering(screen, { 'Change shop.yaml?': 'n' }), stdout: screen, stderr: screen })
  const prompt = createPrompt(host, { timeout: 1, input: true, pager: false }, () => false)
  expect(await prompt.confirm('Change shop.yaml?', '--yes', undefined)).toBe(false)
})

test('a refused text makes room for the next, below what is wrong with it', async () => {
  const screen = new Capture(true)
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  const host = hostWith({ stdin: keyboard, stdout: screen, stderr: screen })
  const prompt = createPrompt(host, { timeout: 1, input: true, pager: false }, () => false)
  const check = (text: string) => {
    if (text !== 'Tea') throw usage(`${text} cannot be the name`)
  }
  const answered = prompt.text('Name', '--name', { check })
  await expect.poll(() => screen.text).toContain('Name')
  keyboard.write('Tea!\r')
  await expect.poll(() => screen.text).toContain('Tea! cannot be the name')
  keyboard.write('Tea\r')
  expect(await answered).toBe('Tea')
})

test('Ctrl-D at a question ends the command as Ctrl-C does', async () => {
  const { run, file } = await publisher({ transport: 'network' })
  await run(['template', 'create', file('coupon.yaml', template())])
  const answers = { Delete: '\u0004' }
  const { code, err } = await run(['template', 'delete', coupon], { tty: true, answers })
  expect({ code, err }).toEqual({ code: 130, err: expect.stringContaining('interrupted') })
  expect((await run(['template', 'get', coupon])).code).toBe(0)
})

test('of few values, too, one is found by a part of it, and Enter takes none that is not shown', async () => {
  const screen = new Capture(true)
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  const host = hostWith({ stdin: keyboard, stdout: screen, stderr: screen })
  const prompt = createPrompt(host, { timeout: 1, input: true, pager: false }, () => false)
  const values = Object.fromEntries(['a.b::Tea::v1::Día', 'a.b::Tea::v1::Noche'].map((one) => [one, one]))
  const chosen = prompt.choose('Which variation?', '--name', values)
  const shown = () => screen.text.slice(screen.text.lastIndexOf('Which variation?'))
  await expect.poll(shown).toContain('Noche')
  keyboard.write('tarde')
  await expect.poll(shown).not.toContain('Noche')
  keyboard.write('\n')
  keyboard.write('\u007f'.repeat(5))
  await expect.poll(shown).toContain('Noche')
  keyboard.write('noche')
  await expect.poll(shown).not.toContain('Día')
  keyboard.write('\n')
  expect(await chosen).toBe('a.b::Tea::v1::Noche')
})

test('of many values one is found by a part of it', async () => {
  const screen = new Capture(true)
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  const host = hostWith({ stdin: keyboard, stdout: screen, stderr: screen })
  const prompt = createPrompt(host, { timeout: 1, input: true, pager: false }, () => false)
  const values = Object.fromEntries(Array.from({ length: 140 }, (_, index) => [`Menu${index}`, `Menu${index}`]))
  const chosen = prompt.choose('Which variation?', '--name', values)
  await expect.poll(() => screen.text).toContain('Menu0')
  expect(screen.text).toContain('Type a part of one of 140:')
  keyboard.write('nu13')
  await expect.poll(() => screen.text.slice(screen.text.lastIndexOf('140:'))).toContain('Menu135')
  expect(screen.text.slice(screen.text.lastIndexOf('140:'))).not.toContain('Menu0')
  keyboard.write('7')
  await expect.poll(() => screen.text.slice(screen.text.lastIndexOf('140:'))).not.toContain('Menu135')
  keyboard.write('\n')
  expect(await chosen).toBe('Menu137')
})

const [down, up, backspace] = ['\u001b[B', '\u001b[A', '\u007f']

test.each<[what: string, keys: string, choice: string]>([
  ['a character and Enter', '2\r', 'v2::Blue'],
  ['several characters and Enter', 'v3\r', 'v3::Azzurro più'],
  ['Enter twice', '2\r\r', 'v2::Blue'],
  ['Enter before a character', '\r2', 'v1::Blue'],
  ['a character after one that is deleted', `3${backspace}2\r`, 'v2::Blue'],
  ['a text that finds nothing, Enter, and one that does', `xx\r${backspace}${backspace}2\r`, 'v2::Blue'],
  ['a character of two bytes', 'ù\r', 'v3::Azzurro più'],
  ['arrows and Enter', `${down}${down}${up}\r`, 'v2::Blue'],
  ['a text, an arrow and Enter', `Blue${down}\r`, 'v2::Blue'],
])('a list chooses what it shows where %s come at once', async (_, keys, choice) => {
  const screen = new Capture(true)
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  const host = hostWith({ stdin: keyboard, stdout: screen, stderr: screen })
  const prompt = createPrompt(host, { timeout: 1, input: true, pager: false }, () => false)
  const values = Object.fromEntries(['v1::Blue', 'v2::Blue', 'v3::Azzurro più'].map((one) => [one, one]))
  const chosen = prompt.choose('Which variation?', '--name', values)
  await expect.poll(() => screen.text).toContain('v1::Blue')
  keyboard.write(keys)
  expect(await chosen).toBe(choice)
  const shown = stripVTControlCharacters(screen.text)
  expect(shown.slice(shown.lastIndexOf('Which')).trim()).toBe(`Which variation? ${choice}`)
})

test.each<
  [question: string, ask: (prompt: Prompt) => Promise<unknown>, before: string, after: string, answer: unknown]
>([
  ['Title', (prompt) => prompt.text('Title', '--title'), 'Te', 'a\r', 'Tea'],
  ['Sure?', (prompt) => prompt.confirm('Sure?', '--yes', undefined), 'y', '\r', true],
  ['Password', (prompt) => prompt.secret('Password', '--password-stdin'), 'se', 'cret\r', 'secret'],
  ['Which?', (prompt) => prompt.choose('Which?', '--name', { a: 'a', b: 'b', c: 'c' }), `${down}${down}`, '\r', 'c'],
  [
    'Which ones?',
    (prompt) =>
      prompt.chooseSome(
        'Which ones?',
        '--name',
        ['a', 'b', 'c'].map((value) => ({ value, text: value, checked: false })),
      ),
    ` ${down}`,
    ' \r',
    ['a', 'b'],
  ],
])(
  'Ctrl-Z at the question %s stops the job, and what was typed is there when it goes on',
  async (question, ask, before, after, answer) => {
    const screen = new Capture(true)
    screen.end = () => screen
    const modes: boolean[] = []
    const setRawMode = (isRaw: boolean) => modes.push(isRaw)
    const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode })
    let isStopped = false
    const goOn = gate()
    const suspend = async () => {
      isStopped = true
      await goOn.opened
    }
    const host = hostWith({ stdin: keyboard, stdout: screen, stderr: screen, suspend })
    const prompt = createPrompt(host, { timeout: 1, input: true, pager: false }, () => false)
    const answered = ask(prompt)
    await expect.poll(() => screen.text).toContain(question)
    keyboard.write(`${before}\u001a`)
    await expect.poll(() => isStopped).toBe(true)
    expect(modes).toEqual([true, false])
    const drawn = screen.text.length
    goOn.open()
    await expect.poll(() => screen.text.slice(drawn)).toContain(question)
    expect(modes).toEqual([true, false, true])
    keyboard.write(after)
    expect(await answered).toEqual(answer)
  },
)

test('Ctrl-C after Ctrl-Z ends the question', async () => {
  const screen = new Capture(true)
  screen.end = () => screen
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  const host = hostWith({ stdin: keyboard, stdout: screen, stderr: screen })
  const prompt = createPrompt(host, { timeout: 1, input: true, pager: false }, () => false)
  const answered = prompt.text('Title', '--title')
  await expect.poll(() => screen.text).toContain('Title')
  keyboard.write('\u001a')
  await expect.poll(() => screen.text.split('Title').length).toBeGreaterThan(2)
  keyboard.write('\u0003')
  await expect(answered).rejects.toMatchObject({ name: 'ExitPromptError' })
})
