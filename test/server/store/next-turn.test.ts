import { channel } from 'node:diagnostics_channel'
import { expect, test } from 'vitest'
import { arrivals } from '../../../src/server/store/next-turn.ts'

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
})
