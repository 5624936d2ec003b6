import { expect, test } from 'vitest'
import { readCommandLine } from '../../src/cli/command-line.ts'
import { createContext } from '../../src/cli/context.ts'
import { type Word, words } from '../../src/cli/words.ts'
import { hostWith } from '../support/host.ts'

async function commandOf(word: Word, verb?: string) {
  const context = await createContext(hostWith(), { timeout: 1, input: false, pager: false }, readCommandLine([]))
  return (await words[word].load()).command(context, verb)
}

const nouns: Word[] = [
  'template',
  'variation',
  'face',
  'action',
  'asset',
  'context',
  'profile',
  'user',
  'snapshot',
  'thread',
  'auth',
]

test.each(nouns)(
  '%s makes only the verb that a command line has, by its name and by what else it is called',
  async (noun) => {
    const all = await commandOf(noun)
    for (const command of all.commands)
      for (const typed of [command.name(), ...command.aliases()]) {
        const { commands } = await commandOf(noun, typed)
        expect(commands.map((one) => [one.name(), one.aliases()])).toEqual([[command.name(), command.aliases()]])
      }
  },
)

test.each([undefined, '--help', 'crate', 'toString'])(
  'a noun with %s behind it makes all of its verbs',
  async (typed) => {
    const { commands } = await commandOf('template', typed)
    expect(commands.map((command) => command.name())).toEqual([
      'create',
      'validate',
      'list',
      'get',
      'update',
      'bump',
      'publish',
      'delete',
    ])
  },
)
