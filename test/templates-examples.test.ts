import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { at } from '../src/contract/schema/path.ts'
import type { KindName } from '../src/contract/values.ts'
import { loadDocuments } from '../src/documents/load/load.ts'
import { options } from './support/loading.ts'
import { type Desk, publisher } from './support/vatom.ts'

const folder = join(import.meta.dirname, '../templates-examples')
const files = (ending: RegExp) =>
  readdirSync(folder)
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name))

/** The commands that take each file of the examples, in an order that works. */
const steps: readonly (readonly [words: readonly string[], files: readonly string[]])[] = [
  [['template', 'create'], files(/^[^.]+\.yaml$/)],
  [['variation', 'create'], files(/\.variation\.yaml$/)],
  [['face', 'register'], files(/\.faces\.yaml$/)],
  [['action', 'register'], files(/\.actions\.yaml$/)],
]

const namesOf = async ({ json }: Desk, noun: string) =>
  ((await json(noun, 'list')) as unknown[]).map((one) => String(at(one, 'name')))

test('every example file is taken, published and emitted from', async () => {
  const desk = await publisher()
  for (const [words, taken] of steps) {
    expect(await desk.run([...words, ...taken], {})).toMatchObject({ code: 0 })
  }
  expect(steps.flatMap(([, taken]) => taken).length).toBe(files(/\.yaml$/).length)
  for (const noun of ['template', 'variation'])
    for (const name of await namesOf(desk, noun))
      expect(await desk.vatom(noun, 'publish', name, '--confirm', name)).toMatchObject({ code: 0 })
  for (const variation of await namesOf(desk, 'variation'))
    expect(await desk.json('emit', variation, '--num', '2')).toMatchObject({ num_created: 2 })
})

test('what was made of the examples is as they say, and what get prints says the same', async () => {
  const desk = await publisher()
  for (const [words, taken] of steps) await desk.json(...words, ...taken)
  for (const noun of ['template', 'variation', 'action'])
    expect(await desk.json(noun, 'update', folder)).toMatchObject({
      summary: { failed: 0 },
      results: expect.not.arrayContaining([expect.not.objectContaining({ status: 'unchanged' })]),
    })
  for (const name of await namesOf(desk, 'template')) {
    const stdin = (await desk.vatom('template', 'get', name)).out
    expect(await desk.run(['template', 'update', '-'], { stdin })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Unchanged/),
    })
  }
})

const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
const load = (inputs: readonly string[], noun: KindName) => loadDocuments(inputs, options(folder, noun))
/** What a file holds, by the end of its name. */
const endings: readonly (readonly [ending: string, kind: KindName])[] = [
  ['.variation.yaml', 'variation'],
  ['.faces.yaml', 'face'],
  ['.actions.yaml', 'action'],
  ['.yaml', 'template'],
]
const kindOf = (name: string): KindName => endings.find(([ending]) => name.endsWith(ending))?.[1] ?? 'template'
const isDraftFirst = (kind: KindName) => kind === 'template' || kind === 'variation'

describe('the example templates', () => {
  test.each(names)('%s is valid by itself, and nothing but drafts', async (name) => {
    const { documents, problems, others } = await load([name], kindOf(name))
    expect(problems).toEqual([])
    expect(others).toBe(0)
    expect(documents.length).toBeGreaterThan(0)
    if (isDraftFirst(kindOf(name))) expect(documents.every(({ value }) => value.unpublished === true)).toBe(true)
  })

  test.each<[KindName, number]>([
    ['template', 8],
    ['variation', 8],
    ['face', 8],
    ['action', 6],
  ])('all of them together: every %s', async (noun, least) => {
    const { documents, problems } = await load(['.'], noun)
    expect(problems).toEqual([])
    expect(documents.length).toBeGreaterThanOrEqual(least)
  })

  test('each action is of a template that is there', async () => {
    const templates = (await load(['.'], 'template')).documents.map(({ name }) => name)
    for (const { name } of (await load(['.'], 'action')).documents)
      expect(templates).toContain(name.replace(/::Action::.*/, ''))
  })

  test('each template has a variation and an icon', async () => {
    const templates = (await load(['.'], 'template')).documents.map(({ name }) => name)
    const variations = (await load(['.'], 'variation')).documents.map(({ value }) => value.template)
    const icons = (await load(['.'], 'face')).documents.map(({ name }) => name)
    for (const name of templates) {
      expect(variations).toContain(name)
      expect(icons.some((icon) => icon.startsWith(`${name} icon, `))).toBe(true)
    }
  })

  test('every root type is shown', async () => {
    const text = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
    for (const kind of ['Folder', 'Package', 'Discover', 'DefinedFolder'])
      expect(text).toContain(`::${kind}ContainerType`)
  })
})
