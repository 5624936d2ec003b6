import { expect, test } from 'vitest'
import { TimedLines } from '../../../src/server/store/timed-lines.ts'

/** Takes all that waits, each of which takes as long as its name says. */
function taken(lines: TimedLines<string>): string {
  const names: string[] = []
  for (let next = lines.shift(); next; next = lines.shift()) {
    names.push(next.item)
    next.took(Number.parseInt(next.item.slice(1), 10))
  }
  return names.join(' ')
}

test('the line for which the least time was taken is next', () => {
  const lines = new TimedLines<string>()
  for (let count = 0; count < 3; count++) lines.push(['here', 'eve'], 'e30')
  for (let count = 0; count < 5; count++) lines.push(['here', 'ann'], 'a10')
  expect(lines.size).toBe(8)
  expect(taken(lines)).toBe('e30 a10 a10 a10 e30 a10 a10 e30')
  expect([lines.size, lines.shift()]).toEqual([0, undefined])
})

test('addresses share the time, however many users one of them has', () => {
  const lines = new TimedLines<string>()
  for (const user of ['u1', 'u2', 'u3', 'u4']) lines.push(['there', user], 't10')
  for (let count = 0; count < 2; count++) lines.push(['here', 'ann'], 'a10')
  expect(taken(lines)).toBe('t10 a10 t10 a10 t10 t10')
})

test('a line that begins has no more time than the others had the least of', () => {
  const lines = new TimedLines<string>()
  for (let count = 0; count < 3; count++) lines.push(['ann'], 'a10')
  for (let count = 0; count < 2; count++) lines.shift()?.took(10)
  for (let count = 0; count < 3; count++) lines.push(['eve'], 'e10')
  expect(taken(lines)).toBe('a10 e10 e10 e10')
})
