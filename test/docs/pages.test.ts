import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/v4'
import { topics } from '../../src/cli/words.ts'
import { operations } from '../../src/contract/api/table.ts'
import { limitGroups, limits } from '../../src/contract/limits.ts'
import { nativeFaces } from '../../src/contract/values.ts'
import { pages } from '../../src/docs/pages.ts'
import { tables } from '../../src/docs/tables.ts'
import { ruleNotes } from '../../src/documents/report/rule-notes.ts'
import { catalogDesk } from '../fixtures/catalog.ts'
import { face } from '../fixtures/yaml.ts'
import { codeBlocks, pageFiles, pageText } from '../support/pages.ts'

const root = join(import.meta.dirname, '../..')

/** The tables between their marks, by name. */
const tablesOf = (text: string) =>
  [...text.matchAll(/<!-- table (\S+) -->\n(.*?)<!-- end \1 -->/gs)].map(([, name = '', table = '']) => ({
    name,
    table,
  }))

test('every page is one of the manual, and a word of the command line', () => {
  expect(Object.keys(pages)).toEqual(topics)
  const named = pageFiles.filter((file) => file.startsWith('src/docs/')).map((file) => file.slice(9, -3))
  expect([...named, 'contributing'].sort()).toEqual([...topics].sort())
})

test('every picture is shown on a page, says what it shows, and is small', () => {
  const shown = pageFiles.flatMap((file) =>
    [...pageText(file).matchAll(/^!\[([^\]]+)\]\(([^)]+)\)$/gm)].map(([, , target = '']) =>
      join(dirname(file), target),
    ),
  )
  const folder = 'src/docs/pictures'
  const pictures = readdirSync(join(root, folder)).map((name) => join(folder, name))
  expect([...new Set(shown)].sort()).toEqual(pictures.sort())
  for (const picture of pictures) expect(statSync(join(root, picture)).size).toBeLessThan(80_000)
})

test('the tour of the README and the page about catalogs can be read on one machine: their catalogs differ', () => {
  const [tour, catalog] = ['README.md', 'src/docs/catalog.md'].map((file) => {
    const [, folder, name] = /vatom init (\w+) --name (\w+)/.exec(pageText(file)) ?? []
    return { folder, name }
  })
  expect(catalog).toEqual({ folder: expect.any(String), name: expect.any(String) })
  expect(catalog?.folder).not.toBe(tour?.folder)
  expect(catalog?.name).not.toBe(tour?.name)
})

test('the page about catalogs begins with what a first one needs; what holds for few stands behind the examples', () => {
  const [first = '', behind = ''] = pageText('src/docs/catalog.md').split('\n## Examples\n')
  expect(first.match(/^## .*$/gm)?.slice(0, 2)).toEqual(['## The four kinds of documents', '## Begin'])
  for (const word of ['Jinja', 'SOPS', 'iCloud', 'submodule', 'symbolic link', 'archive', '--prune-unowned'])
    expect({ word, first: first.includes(word), behind: behind.toLowerCase().includes(word.toLowerCase()) }).toEqual({
      word,
      first: false,
      behind: true,
    })
})

test('every table that the code gives is on a page', () => {
  const used = pageFiles.flatMap((file) => tablesOf(pageText(file)).map(({ name }) => name))
  expect([...new Set(used)].sort()).toEqual(Object.keys(tables).sort())
})

test('every limit is in a table of its subject', () => {
  const rows = Object.keys(limitGroups).flatMap(
    (subject) => tables[`${subject}-limits`]?.(root).trim().split('\n').slice(2) ?? [],
  )
  expect(rows).toHaveLength(Object.keys(limits).length)
  expect(
    rows.filter((row) => /^\| \w+ \|/.test(row)),
    'a limit without a comment',
  ).toEqual([])
})

test('every section that is referred to is on the page about the specification', () => {
  const [, table = ''] = /## Sections\n(.*?)\n## /s.exec(pageText('src/docs/specification.md')) ?? []
  const explained = [...table.matchAll(/^\| ([\d., ]+) \|/gm)].flatMap(([, sections = '']) => sections.split(', '))
  const used = [...operations.map(([, row]) => row.spec), ...ruleNotes.map(({ spec }) => spec)]
  expect([...new Set(used)].filter((section) => section && !explained.includes(section))).toEqual([])
})

test('every native face is on the page about faces', () => {
  const text = pageText('src/docs/faces.md')
  expect(nativeFaces.filter((url) => !text.includes(`| \`${url}\` |`))).toEqual([])
})

test('a document passes through at most 25 functions on its way to a row, each in the file that the page names', () => {
  const [, section = ''] =
    /## One document, from file to row\n(.*?)\n## /s.exec(pageText('.github/CONTRIBUTING.md')) ?? []
  const functions = [...section.matchAll(/^\| `(src\/\S+)` \| (.+) \|$/gm)].flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ file, name })),
  )
  const isIn = ({ file, name }: (typeof functions)[number]) =>
    new RegExp(`(function|const) ${name}\\b|^ +(async )?${name}[:(<]`, 'm').test(readFileSync(join(root, file), 'utf8'))
  expect(functions.filter((one) => !isIn(one))).toEqual([])
  expect(functions.length).toBeGreaterThan(0)
  expect(functions.length).toBeLessThanOrEqual(25)
})

describe.each(pageFiles)('%s', (file) => {
  const text = pageText(file)

  test('its tables are those that the code gives: npm run docs writes them', () => {
    for (const { name, table } of tablesOf(text))
      expect(table.trim(), 'run npm run docs').toBe(tables[name]?.(root).trim())
  })
  test('its links lead somewhere', () => {
    const prose = text.replaceAll(/^```.*?^```$/gms, '')
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    const broken = targets.filter((target) => !isThere(file, text, target))
    expect(broken).toEqual([])
  })
  test('the files that it names are there', () => {
    const named = [...text.matchAll(/`((?:src|test|bin)\/[\w./-]+)`/g)].map(([, path = '']) => path)
    const isPattern = (path: string) => /[A-Z]{4}/.test(path)
    const gone = named.filter((path) => !isPattern(path) && !existsSync(join(root, path)))
    expect(gone, 'files that were moved: name them as they are now').toEqual([])
  })
  test('each block of commands is run by a test, or its mark says why not', () => {
    const blocks = codeBlocks(text).filter(({ language }) => language === 'sh')
    expect(blocks.filter(({ mark = '' }) => !/^(session|serve|first|not run: .+)$/.test(mark))).toEqual([])
  })
})

/** Whether a link names a file, a heading of its page, or an address elsewhere. */
function isThere(file: string, text: string, target: string): boolean {
  if (/^https:/.test(target)) return true
  if (target.startsWith('#')) return headings(text).includes(target.slice(1))
  return existsSync(join(root, dirname(file), target.replace(/#.*/, '')))
}

const headings = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

test('the page about formatting names every field that a plan and an apply print as JSON', async () => {
  const { json, file, vatom } = await catalogDesk()
  const fieldsOf = ({ results: [first = {}], summary, ...whole }: z.output<typeof Printed>) =>
    [first, summary, whole].flatMap((one) => Object.keys(one))
  const planned = Printed.parse(await json('plan', 'catalog'))
  const applied = Printed.parse(await json('apply', 'catalog', '--yes'))
  file('catalog/2-action.yaml', face(undefined, 'card'))
  const { out } = await vatom('plan', 'catalog', '--json')
  const { unlisted } = Unlisted.parse(JSON.parse(out))
  const fields = [planned, applied].flatMap(fieldsOf).concat(unlisted.flatMap((one) => Object.keys(one)))
  const text = pageText('src/docs/formatting.md')
  expect(fields).toContain('chain_writes')
  expect([...new Set(fields)].filter((field) => !new RegExp(`\\b${field}\\b`).test(text))).toEqual([])
})

const Printed = z.looseObject({ results: z.array(z.looseObject({})), summary: z.looseObject({}) })
const Unlisted = z.looseObject({ unlisted: z.array(z.looseObject({})).min(1) })
