import { channel } from 'node:diagnostics_channel'
import { expect, test } from 'vitest'
import { afterArrivals, arrivals, nextTurn } from '../../../src/server/store/next-turn.ts'

const accept = () => channel('net.server.socket').publish({})

test('connections are likely to wait where one was accepted since the last turn, and not for ever', () => {
  const hasArrivals = arrivals()
  expect(hasArrivals()).toBe(false)
  accept()
  expect([hasArrivals(), hasArrivals()]).toEqual([true, false])
  const many = Array.from({ length: 300 }, () => {
    accept()
    return hasArrivals()
  })
  expect(many.flatMap((has, turn) => (has ? [] : [turn]))).toEqual([128, 257])
  for (const until = performance.now() + 260; performance.now() < until; );
  accept()
  expect(hasArrivals()).toBe(false)
})

test('work that waits for connections goes on after some milliseconds, however long the turns of the event loop are', async () => {
  let isBegun = false
  afterArrivals(() => {
    isBegun = true
  })
  const begun: boolean[] = []
  for (const milliseconds of [0, 0, 260, 0]) {
    for (const until = performance.now() + milliseconds; performance.now() < until; );
    accept()
    await nextTurn()
    begun.push(isBegun)
  }
  expect(begun.slice(0, 2)).toEqual([false, false])
  expect(isBegun).toBe(true)
})
