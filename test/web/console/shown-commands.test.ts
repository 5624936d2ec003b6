import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandOf, type Draft, noDraft } from '../../../src/web/console/discover/query.ts'
import { asVatomApi } from '../../../src/web/console/requests/commands.ts'
import { parsedCommand } from '../../support/parsed-command.ts'

const root = join(import.meta.dirname, '../../../src/web')
const options = '--base-url http://127.0.0.1:4100 --app-id local'

/** A source with values in place of what its texts insert. */
const filled = (source: string): string =>
  source.replaceAll(/\$\{((?:[^{}]|\{[^{}]*\})*)\}/g, (_, inserted: string) => {
    if (inserted === 'vatom') return inserted
    return /^(?:here|serviceOptions\b.*)$/s.test(inserted) ? options : 'X'
  })

/** The commands in the texts of a source: none in its comments. */
const commandsIn = (source: string): string[] =>
  filled(source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, ''))
    .match(/(?<![\w-] |\w)vatom [a-z][^`'"<>)\n\\|,]*/g)
    ?.map((command) => command.trim()) ?? []

/** Files that make commands of what somebody has entered or sent: the last test calls them. */
const made = ['console/discover/query.ts', 'console/requests/commands.ts']

const shown = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !made.includes(name))
  .flatMap((name) => commandsIn(readFileSync(join(root, name), 'utf8')).map((command) => [name, command] as const))

/** The words of a command without quotes; a page of the manual is a word of its own. */
const wordsOf = (command: string): string[] =>
  command.replace(/^(VATOM_ACCESS_TOKEN=\S+ )?vatom (help )?/, '').split(/\s+/)

test('texts with commands are found', () => {
  const commands = shown.map(([, command]) => command)
  for (const one of ['vatom init shop', `vatom emit VARIATION ${options}`, `vatom update ID --folder X ${options}`])
    expect(commands).toContain(one)
})

test.each(shown)('%s shows a command that there is: %s', async (_, command) => {
  expect(command).toMatch(new RegExp(`^vatom (help )?${await parsedCommand(wordsOf(command))}\\b`))
})

test('a text with an option or a word that no command has is noticed', async () => {
  for (const wrong of [
    'update ID --parent F',
    'action register --standard Drop',
    'explain action --example',
    'show',
    'nothing',
  ])
    await expect(parsedCommand(wrong.split(' '))).rejects.toThrow()
})

test('commands made of a search and of a request are some that there are', async () => {
  const draft: Draft = {
    scopeKey: 'owner',
    scopeValue: 'ada',
    conditions: [
      { id: 1, field: 'title', op: 'Eq', value: 'tea', join: 'Or' },
      { id: 2, field: 'title', op: 'Eq', value: 'milk', join: 'Or' },
    ],
  }
  const words = { vatom: 'vatom', here: options }
  const lines = [
    commandOf(noDraft, words),
    commandOf(draft, words).replaceAll(/'[^']*'/g, 'X'),
    asVatomApi(
      { method: 'GET', path: '/v1/user', dry_run: true },
      { origin: 'http://127.0.0.1:4100', appId: 'local', token: 't' },
    ),
  ]
  for (const line of lines) expect(line).toContain(`vatom ${await parsedCommand(wordsOf(line))}`)
})
