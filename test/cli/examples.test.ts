import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { at } from '../../src/contract/schema/path.ts'
import { type Desk, publisher } from '../support/vatom.ts'

const folder = join(import.meta.dirname, '../../templates-examples')
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
