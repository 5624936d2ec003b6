import { expect, test } from 'vitest'
import { reachableFrom } from '../../src/build/reachable.mjs'

const chunk = (name: string, imports: readonly string[], entryPoint?: string) => ({
  name,
  entryPoint,
  imports: imports.map((path) => ({ path })),
})

test('an entry point reaches what its chunk imports, directly or not, each once, and nothing else', () => {
  const chunks = [
    chunk('other.js', ['shared.js'], 'other.ts'),
    chunk('shared.js', ['deep.js', 'node:fs']),
    chunk('service.js', ['shared.js'], 'service.ts'),
    chunk('deep.js', ['shared.js']),
    chunk('unused.js', []),
  ]
  expect([...reachableFrom(chunks, 'service.ts')].sort()).toEqual([1, 2, 3])
})
