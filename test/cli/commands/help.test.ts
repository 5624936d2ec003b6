import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exit } from '../../../src/cli/failure/failure.ts'
import { pipelines } from '../../../src/cli/pipeline.ts'
import { topics } from '../../../src/cli/words.ts'
import { formats } from '../../../src/contract/values.ts'
import { publisher } from '../../support/vatom.ts'

const root = join(import.meta.dirname, '../../..')
const sources = ['src/cli', 'src/client', 'src/documents', 'bin'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name) => readFileSync(join(root, folder, name), 'utf8')),
)

test.each(topics)('help %s prints a page within its columns; by itself the word does, too', async (topic) => {
  const { vatom, run, json } = await publisher()
  const help = await vatom('help', topic)
  expect(help).toEqual({ code: 0, err: '', out: expect.stringMatching(/^[A-Z].*\n\n {2}\S/) })
  expect(help.out).not.toMatch(/^#|^\||^ *<!--|```|\*\*/m)
  expect(await vatom(topic)).toEqual(help)
  expect(await vatom(topic, '--help')).toEqual(help)
  for (const columns of [60, 80, 200]) {
    const { out } = await run(['help', topic, '--no-color'], { tty: true, columns })
    const text = out.split('\n').filter((line) => !/^ {4}/.test(line)) // code stands as it must be typed
    expect(text.filter((line) => line.length > Math.max(columns, 80))).toEqual([])
  }
  expect(await json(topic)).toBeTruthy()
})

test.each(['environment', 'exit-codes', 'formatting'])('%s as data is its rows', async (topic) => {
  const { json } = await publisher()
  expect(await json(topic)).toEqual(expect.arrayContaining([expect.objectContaining({ meaning: expect.any(String) })]))
})

test('any other page as data is its name and its text', async () => {
  const { json } = await publisher()
  expect(await json('help', 'catalog')).toEqual({ page: 'catalog', text: expect.stringMatching(/^# Catalog\n/) })
})

test('a page is painted on a terminal, and plain elsewhere', async () => {
  const { vatom, run } = await publisher()
  expect((await run(['help', 'catalog'], { tty: true })).out).toContain('\u001b[1mCatalog\u001b[22m')
  expect((await vatom('help', 'catalog')).out).not.toContain('\u001b')
})

test('a page nobody wrote suggests one that is like it', async () => {
  const { vatom } = await publisher()
  expect(await vatom('help', 'catalgo')).toMatchObject({ code: 2, err: expect.stringContaining('catalog') })
})

test('the root help lists the pages apart from the commands', async () => {
  const { vatom } = await publisher()
  const [commands = '', pages = ''] = (await vatom('--help')).out.split('\nManual pages:\n')
  for (const topic of topics) {
    expect(pages).toMatch(new RegExp(`^  ${topic} `, 'm'))
    expect(commands).not.toMatch(new RegExp(`^  ${topic} `, 'm'))
  }
})

test('help environment tells of every variable that is read, and of no other', async () => {
  const { json } = await publisher()
  const told = ((await json('environment')) as { name: string }[]).map(({ name }) => name)
  const read = sources.flatMap((text) =>
    [...text.matchAll(/\b(?:env\.|variableOf\(')([A-Z][A-Z0-9_]+)\b/g)].map(([, name]) => name),
  )
  const listed = sources.flatMap((text) =>
    [...text.matchAll(/\bvariables = \[(.*)\]|\{(.*)\} = env\b/g)].map(([, names, taken]) => names ?? taken ?? ''),
  )
  const others = ['HOME', 'USERPROFILE']
  const ofNode = ['NODE_EXTRA_CA_CERTS']
  const named = [...Object.keys(pipelines), ...listed.flatMap((names) => names.match(/\b[A-Z][A-Z_]+\b/g) ?? [])]
  const ours = [...new Set([...read, ...named])].filter((name) => !others.includes(name ?? ''))
  expect([...ours, ...ofNode].sort()).toEqual([...told].sort())
})

test('help exit-codes tells of each, once', async () => {
  const { json } = await publisher()
  const told = (await json('exit-codes')) as { code: number }[]
  expect(told.map(({ code }) => code)).toEqual(Object.values(exit))
})

test('help formatting says which commands that change something have no --dry-run', async () => {
  const { vatom } = await publisher()
  expect((await vatom('help', 'formatting')).out).toMatch(/`login` and `context add`, `use` and\s+`remove`/)
})

test('help formatting names every format', async () => {
  const { run } = await publisher()
  expect((await run(['help', 'formatting'], { tty: true, columns: 200 })).out).toContain(formats.join(', '))
})

test('help takes the words of a command as one, too', async () => {
  const { vatom } = await publisher()
  const { code, out } = await vatom('help', 'template create')
  expect({ code, out }).toEqual({ code: 0, out: (await vatom('template', 'create', '--help')).out })
})
