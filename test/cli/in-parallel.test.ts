import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { inParallel } from '../../src/cli/service/in-parallel.ts'

describe('inParallel', () => {
  test('answers in order, whatever ends first, and does no more at a time than it may', async () => {
    let now = 0
    let most = 0
    const slow = async (item: number) => {
      most = Math.max(most, ++now)
      for (let turn = 0; turn < 10 - item; turn++) await setImmediate()
      now--
      return item * 2
    }
    expect(await inParallel([0, 1, 2, 3, 4, 5, 6, 7], 3, slow)).toEqual([0, 2, 4, 6, 8, 10, 12, 14])
    expect(most).toBe(3)
  })

  test('throws the first failure once what is under way has ended, and begins nothing after it', async () => {
    const begun: number[] = []
    const ended: number[] = []
    const work = async (item: number) => {
      begun.push(item)
      await setImmediate()
      if (item === 1) throw new Error(`no ${item}`)
      await setImmediate()
      ended.push(item)
    }
    await expect(inParallel([0, 1, 2, 3, 4], 2, work)).rejects.toThrow('no 1')
    expect({ begun, ended }).toEqual({ begun: [0, 1], ended: [0] })
  })

  test('of nothing does nothing', async () => {
    expect(await inParallel([], 4, async () => 1)).toEqual([])
  })
})
