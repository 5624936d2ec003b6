import { expect, test } from 'vitest'
import { readCommandLine } from '../../src/cli/command-line.ts'
import { exit } from '../../src/cli/failure/failure.ts'
import { groups, hidden, topics, type Word, words } from '../../src/cli/words.ts'
import { type Desk, publisher } from '../support/vatom.ts'

const firstWords = (Object.keys(words) as Word[]).filter((word) => !hidden.includes(word) && !topics.includes(word))

/** The words of every command, groups included. */
async function commandsBelow({ vatom }: Desk, path: readonly string[]): Promise<string[][]> {
  const { code, out } = await vatom(...path, '--help')
  expect(code).toBe(0)
  const [commands = ''] = (out.split('\nCommands:\n')[1] ?? '').split('\n\n')
  const verbs = [...commands.matchAll(/^ {2}([\w-]+)/gm)].map(([, verb = '']) => verb)
  const below = verbs.filter((verb) => verb !== 'help').map((verb) => commandsBelow({ vatom } as Desk, [...path, verb]))
  return [[...path], ...(await Promise.all(below)).flat()]
}

/** What stands at the head of each section, in order. */
const headsOf = (help: string) =>
  [...help.matchAll(/^(?:(Usage|Exit codes): |([A-Z][A-Za-z ]*):$)/gm)].map(([, opening, head = '']) =>
    (opening ?? head).replace(/^Example$/, 'Examples'),
  )

test('the help of every command shows examples of it before its options, in 80 columns', async () => {
  const desk = await publisher()
  const commands = (await Promise.all(firstWords.map((word) => commandsBelow(desk, [word])))).flat()
  expect(commands.length).toBeGreaterThan(50)
  for (const path of commands) {
    const { out } = await desk.vatom(...path, '--help')
    const name = path.join(' ')
    expect(headsOf(out).slice(0, 2), name).toEqual(['Usage', 'Examples'])
    expect(headsOf(out), name).toContain('Options')
    expect(out, name).not.toMatch(/Global Options|^ {2}--no-color|default:\s+false/m)
    const [, examples = ''] = /^Examples?:\n(.*?)\n\n/ms.exec(out) ?? []
    expect(examples, name).toMatch(new RegExp(`\\bvatom ${name}\\b`))
    expect(
      topics
        .map((topic) => `\nOptions of every command, such as --json: vatom help options\nMore: vatom help ${topic}\n`)
        .some((line) => out.endsWith(line)),
      name,
    ).toBe(true)
    expect(out.match(/^Examples?:$/gm), name).toHaveLength(1)
    expect(
      out.split('\n').filter((line) => line.length > 80),
      name,
    ).toEqual([])
    for (const [, words = ''] of examples.matchAll(/\bvatom ([a-z][^|;&\n]*)/g))
      expect(readCommandLine(words.split(' ')).word, words).toBeDefined()
  }
})

test('the root help names every exit code', async () => {
  const { vatom } = await publisher()
  const [, codes = ''] = (await vatom('--help')).out.split('\nExit codes: ')
  expect((codes.match(/\d+/g) ?? []).map(Number)).toEqual(Object.values(exit))
})

test('without a command the root help is shown on a terminal, and is a usage error elsewhere', async () => {
  const { run } = await publisher()
  const { out } = await run(['--help'])
  expect(await run([], { tty: true })).toMatchObject({ code: 0, out: expect.stringContaining('Usage: vatom COMMAND') })
  expect(await run([])).toEqual({ code: 2, out: '', err: out })
})

test('the root help leads newcomers to init, plan and apply', async () => {
  const { vatom } = await publisher()
  const { out } = await vatom('--help')
  const [, examples = ''] = /^Examples:\n(.*?)\n\n/ms.exec(out) ?? []
  const [, commands = ''] = /^Catalogs:\n(.*?)\n\n/ms.exec(out) ?? []
  const first = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].slice(0, 3).map(([, word]) => word)
  expect(first(examples, /^ {2}vatom (init|plan|apply|create|login)\b/gm)).toEqual(['init', 'plan', 'apply'])
  expect(first(commands, /^ {2}(\w+)/gm)).toEqual(['init', 'validate', 'plan'])
})

test('the root help shows examples first, and exit codes last', async () => {
  const { vatom } = await publisher()
  for (const args of [['--help'], ['help']])
    expect(headsOf((await vatom(...args)).out)).toEqual([
      'Usage',
      'Examples',
      'Options',
      ...Object.keys(groups).map((group) => group.replace(':', '')),
      'Exit codes',
    ])
})

test('the root help lists every word once, in a group', async () => {
  const { vatom } = await publisher()
  const { out } = await vatom('--help')
  expect(Object.values(groups).flat().sort()).toEqual(Object.keys(words).sort())
  for (const word of Object.keys(words).filter((word) => !hidden.includes(word as Word)))
    expect(out.match(new RegExp(`^  ${word} `, 'gm')), word).toHaveLength(1)
})

test('help options lists the options of every command, which nothing else repeats', async () => {
  const { vatom, json } = await publisher()
  const { out } = await vatom('help', 'options')
  for (const option of ['--context <name>', '--base-url <url>', '--timeout <seconds>', '--json', '--no-input'])
    expect(out).toContain(`  ${option} `)
  expect(out).not.toMatch(/ -v\b/)
  expect(await json('options')).toContainEqual({
    name: '--timeout <seconds>',
    meaning: 'give up on a request after this long (default: 30)',
  })
})

test('help under --json is one document with its text', async () => {
  const { vatom } = await publisher()
  const { code, out } = await vatom('template', 'list', '--help', '--json')
  expect({ code, ...JSON.parse(out) }).toEqual({ code: 0, help: expect.stringMatching(/^Usage: vatom template list/) })
})
