import { channel } from 'node:diagnostics_channel'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { afterArrivals, arrivals, nextTurn } from '../../../src/server/store/next-turn.ts'
import { inTurns, processorTime } from '../../../src/server/store/slices.ts'

const accept = () => channel('net.server.socket').publish({})

// Those who connect over and over are forgotten after a while.
beforeEach(() => setTimeout(260))

// It counts by the clock: on a busy machine, another process may have a quarter of a second in between.
test('connections are likely to wait where one was accepted since the last turn, and not for ever', {
  retry: 4,
}, async () => {
  await setTimeout(260)
  const hasArrivals = arrivals()
  expect(hasArrivals()).toBe(false)
  accept()
  expect([hasArrivals(), hasArrivals()]).toEqual([true, false])
  const waited = Array.from({ length: 300 }, () => {
    accept()
    for (const until = performance.now() + 0.1; performance.now() < until; );
    return hasArrivals()
  })
  const [goesOn, waitsAgain] = [128, waited.indexOf(true, 128)]
  expect(waited.indexOf(false)).toBe(goesOn)
  expect(waitsAgain - goesOn).toBeGreaterThan(10)
  expect(waited.indexOf(false, waitsAgain) - waitsAgain).toBe(32)
  do accept()
  while (!hasArrivals())
  for (const until = performance.now() + 260; performance.now() < until; );
  accept()
  expect(hasArrivals()).toBe(false)
})

test('work that waits for connections goes on, too, where other work found that none had arrived', () => {
  const [busy, quiet] = [arrivals(), arrivals()]
  const waited = Array.from({ length: 200 }, () => {
    accept()
    quiet()
    expect(quiet()).toBe(false)
    return busy()
  })
  expect(waited.indexOf(false)).toBe(128)
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

test('work in turns of its own lets connections be accepted between two of them', async () => {
  let parts = 0
  const busy = () => {
    for (const until = processorTime() + 12; processorTime() < until; );
  }
  function* steps() {
    for (; parts < 3; parts++) {
      busy()
      yield
    }
  }
  const done = inTurns(steps())
  const seen: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    accept()
    await nextTurn()
    seen.push(parts)
  }
  expect(seen).toEqual([0, 0, 0, 0, 0])
  await done
  expect(parts).toBe(3)
})
