import { expect, test } from 'vitest'
import { newMachine } from '../support/binary.ts'

test('processes that change the contexts at once lose nothing', async () => {
  const { vatom } = newMachine()
  const names = Array.from({ length: 6 }, (_, index) => `c${index}`)
  const place = ['--base-url', 'https://api.example.com', '--app-id', 'x']
  const added = await Promise.all(names.map((name) => vatom(['context', 'add', name, ...place])))
  expect(added.map(({ code }) => code)).toEqual(names.map(() => 0))
  const { out } = await vatom(['context', 'list', '--json'])
  const kept: { name: string }[] = JSON.parse(out)
  expect(kept.map(({ name }) => name).sort()).toEqual([...names, 'local'])
})
