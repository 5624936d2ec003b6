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

test('a line that begins has had as much time as the one whose turn it was last', () => {
  const lines = new TimedLines<string>()
  for (let count = 0; count < 3; count++) lines.push(['ann'], 'a10')
  for (let count = 0; count < 2; count++) lines.shift()?.took(10)
  for (let count = 0; count < 3; count++) lines.push(['eve'], 'e10')
  expect(taken(lines)).toBe('e10 a10 e10 e10')
})

test.each([
  ['addresses', (name: string) => [name, 'someone']],
  ['users of an address', (name: string) => ['here', name]],
])('whoever waits with several things is next as often as %s that ask again and again', (_what, lineOf) => {
  const lines = new TimedLines<string>()
  for (const item of ['a10', 'b10', 'c1', 'c1']) lines.push(lineOf(item), item)
  const names: string[] = []
  for (let count = 0; count < 6; count++) {
    const next = lines.shift()
    names.push(next?.item ?? '')
    next?.took(Number.parseInt(next.item.slice(1), 10))
    if (next?.item.endsWith('10')) lines.push(lineOf(next.item), next.item)
  }
  expect(names).toEqual(['a10', 'b10', 'c1', 'c1', 'a10', 'b10'])
})

test('whoever asks again and again shares the time with who has several things waiting', () => {
  const lines = new TimedLines<string>()
  lines.push(['eve'], 'e10')
  for (let count = 0; count < 30; count++) lines.push(['ann'], 'a1')
  const taken = { e: 0, a: 0 }
  for (let count = 0; count < 30; count++) {
    const next = lines.shift()
    const milliseconds = Number.parseInt(String(next?.item).slice(1), 10)
    next?.took(milliseconds)
    taken[next?.item === 'e10' ? 'e' : 'a'] += milliseconds
    if (next?.item === 'e10') lines.push(['eve'], 'e10')
  }
  expect(taken).toEqual({ e: 30, a: 27 })
})

test('whoever asks under another name each time shares the time with who has several things waiting', () => {
  const lines = new TimedLines<string>()
  for (const name of ['eve 0', 'eve 1']) lines.push([name], 'e10')
  for (let count = 0; count < 4; count++) lines.push(['ann'], 'a10')
  const names: string[] = []
  for (let count = 2; count < 14; count++) {
    const next = lines.shift()
    next?.took(10)
    names.push(next?.item ?? '')
    if (next?.item === 'e10') lines.push([`eve ${count}`], 'e10')
  }
  expect(names.filter((name) => name === 'a10')).toHaveLength(3)
})

test('what waits in a line is next in its order, also where more comes meanwhile', () => {
  const lines = new TimedLines<number>()
  const names = Array.from({ length: 1000 }, (_, index) => index)
  const shifted: (number | undefined)[] = []
  for (const name of names) {
    lines.push(['ann'], name)
    if (name % 3 > 0) shifted.push(lines.shift()?.item)
  }
  expect([...shifted, ...lines.takeAll()]).toEqual(names)
})

test('what is over leaves the beginning of its line, and nothing else', () => {
  const lines = new TimedLines<string>()
  for (const item of ['a1', 'a2', 'b3', 'a4']) lines.push(['here', 'ann'], item)
  lines.push(['here', 'eve'], 'a5')
  const isOver = (item: string) => item.startsWith('a')
  expect([lines.drop(['here', 'ann'], isOver), lines.size]).toEqual([2, 3])
  expect([lines.drop(['here', 'nobody'], isOver), lines.size]).toEqual([0, 3])
  expect([lines.drop(['here', 'eve'], isOver), lines.size]).toEqual([1, 2])
  expect(taken(lines)).toBe('b3 a4')
})

test('those that ask once are forgotten, and the others are not', () => {
  const lines = new TimedLines<string>()
  for (let count = 0; count < 3; count++) lines.push(['ann'], 'a1')
  for (let count = 0; count < 5000; count++) {
    lines.push([`user ${count}`], 'u1')
    lines.shift()?.took(1)
    lines.push(['ann'], 'a1')
  }
  expect(lines.size).toBe(5003)
  expect(taken(lines).split(' ')).toHaveLength(5003)
})
