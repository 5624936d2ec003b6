import { expect, test } from 'vitest'
import { replacedBy } from '../../../src/server/store/shared-places.ts'

/** Connections, the oldest first, each as the user and the address. */
const connections = (...all: string[]) => all.map((one, index) => ({ ...visitor(one), index }))

function visitor(text: string) {
  const [user = '', place = ''] = text.split('@')
  return { user, session: 'own', place, isFirst: user.startsWith('publisher') }
}

test.each([
  ['the oldest of the address that has most', 'ann@1', ['bob@2', 'eve@3', 'eve@3', 'mia@3'], 1],
  ['that of its user who has most', 'ann@1', ['bob@2', 'mia@3', 'eve@3', 'eve@3'], 2],
  ['nobody, if all would then have more than they', 'ann@1', ['bob@2', 'eve@3'], undefined],
  ['nobody, if the newcomer has one less than they', 'ann@1', ['ann@1', 'eve@3', 'eve@3'], undefined],
  ['another user of the same address', 'ann@1', ['eve@1', 'eve@1', 'bob@2', 'bob@2'], 0],
  ['nobody of the same address who has one', 'ann@1', ['eve@1', 'bob@1', 'bob@2'], undefined],
  ['nobody who goes first', 'ann@1', ['publisher@2', 'publisher@2', 'publisher@2', 'eve@3'], undefined],
  ['anybody, for whoever goes first', 'publisher@1', ['publisher@1', 'publisher@1', 'eve@3'], 2],
  ['nobody, if all go first', 'publisher@1', ['publisher2@2', 'publisher2@2'], undefined],
])('a newcomer replaces %s', (_, newcomer, all, expected) => {
  expect(replacedBy(visitor(newcomer), connections(...all))?.index).toBe(expected)
})
