import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { KindName } from '../../../src/contract/values.ts'
import { loadDocuments } from '../../../src/documents/load/load.ts'
import { options } from '../../support/written-files.ts'

const folder = join(__dirname, '../../../templates-examples')
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
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
  test.each(files)('%s is valid by itself, and nothing but drafts', async (name) => {
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
      expect(icons).toContain(`${name} icon`)
    }
  })

  test('every root type is shown', async () => {
    const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
    for (const kind of ['Folder', 'Package', 'Discover', 'DefinedFolder'])
      expect(text).toContain(`::${kind}ContainerType`)
  })
})
