import { expect, test } from 'vitest'
import { familyOf, hidden, topics, type Word, words } from '../../src/cli/words.ts'
import { type Desk, publisher } from '../support/vatom.ts'

const firstWords = (Object.keys(words) as Word[]).filter((word) => !hidden.includes(word) && !topics.includes(word))

/** The words of every command, groups included. */
async function commandsBelow({ vatom }: Desk, path: readonly string[]): Promise<string[][]> {
  const { code, out } = await vatom(...path, '--help')
  expect(code).toBe(0)
  const [, commands = ''] = out.split('\nCommands:\n')
  const verbs = [...commands.matchAll(/^ {2}([\w-]+)/gm)].map(([, verb = '']) => verb)
  const below = verbs.filter((verb) => verb !== 'help').map((verb) => commandsBelow({ vatom } as Desk, [...path, verb]))
  return [[...path], ...(await Promise.all(below)).flat()]
}

test('the help of every command shows examples of it before its options, in 80 columns', async () => {
  const desk = await publisher()
  const commands = (await Promise.all(firstWords.map((word) => commandsBelow(desk, [word])))).flat()
  expect(commands.length).toBeGreaterThan(50)
  for (const path of commands) {
    const { out } = await desk.vatom(...path, '--help')
    const name = path.join(' ')
    expect(out, name).toMatch(
      /^Usage: vatom .*\n\n(?:.|\n)*?\n\nExamples?:\n {2}\S(?:.|\n)*\nOptions:\n(?:.|\n)*\nGlobal Options:\n/,
    )
    const [, examples = ''] = /\nExamples?:\n((?:.|\n)*?)\n\n/.exec(out) ?? []
    expect(examples, name).toMatch(new RegExp(`\\bvatom ${name}\\b`))
    expect(out.match(/^Examples?:$/gm), name).toHaveLength(1)
    expect(
      out.split('\n').filter((line) => line.length > 80),
      name,
    ).toEqual([])
    for (const [, words = ''] of examples.matchAll(/\bvatom ([a-z][^|;&\n]*)/g))
      expect(familyOf(words.split(' ')), words).toBeDefined()
  }
})

test('the root help shows examples first, and exit codes last', async () => {
  const { vatom } = await publisher()
  for (const args of [['--help'], ['help'], []])
    expect((await vatom(...args)).out).toMatch(
      /^Usage: (?:.|\n)*\nExamples:\n {2}vatom (?:.|\n)*\nOptions:\n(?:.|\n)*\nExit codes: (?:.|\n)*\n$/,
    )
})
