import { expect, test } from 'vitest'
import type { ByUser } from '../../../../src/server/domain/caller.ts'
import { groupsOnMap } from '../../../../src/server/domain/vatoms/geo.ts'
import type { Steps } from '../../../../src/server/store/slices.ts'

type Points = readonly { readonly lon: number; readonly lat: number }[]

/** A map with these parts, each of which a step finds. */
function callerOnMap(parts: readonly Points[]): ByUser {
  const positions = function* (_: unknown, take: (points: Points) => void): Steps<void> {
    for (const part of parts) {
      take(part)
      yield
    }
  }
  return { user: { id: 'ann' }, store: { map: { positions } } } as unknown as ByUser
}

test('the groups of a map say at each step how many they are so far, and are right in the end', () => {
  const part = (count: number, lat: number) => Array.from({ length: count }, (_, at) => ({ lon: at + 0.5, lat }))
  const box = { bottom_left: { lon: -180, lat: -90 }, top_right: { lon: 180, lat: 90 } }
  const steps = groupsOnMap(callerOnMap([part(3, 10), part(3, 10), part(5, 20)]), { ...box, precision: 12, limit: 4 })
  const remembered: unknown[] = []
  let step = steps.next()
  for (; !step.done; step = steps.next()) remembered.push(step.value)
  expect(remembered).toEqual([3, 3, 8])
  expect(step.value).toMatchObject([
    { lon: 0.5, lat: 10, count: 2 },
    { lon: 1.5, lat: 10, count: 2 },
    { lon: 2.5, lat: 10, count: 2 },
    { count: 1 },
  ])
})
