import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { atOnce, inParallel } from '../../../src/cli/service/in-parallel.ts'
import { template } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

describe('inParallel', () => {
  test('answers in order, whatever ends first, and does no more at a time than it may', async () => {
    let now = 0
    let most = 0
    const slow = async (item: number) => {
      most = Math.max(most, ++now)
      for (let turn = 0; turn < 30 - item; turn++) await setImmediate()
      now--
      return item * 2
    }
    const items = Array.from({ length: 3 * atOnce }, (_, item) => item)
    expect(await inParallel(items, slow)).toEqual(items.map((item) => item * 2))
    expect(most).toBe(atOnce)
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
    const items = Array.from({ length: 2 * atOnce }, (_, item) => item)
    await expect(inParallel(items, work)).rejects.toThrow('no 1')
    const first = items.slice(0, atOnce)
    expect({ begun, ended }).toEqual({ begun: first, ended: first.filter((item) => item !== 1) })
  })

  test('of nothing does nothing', async () => {
    expect(await inParallel([], async () => 1)).toEqual([])
  })
})

test('a plan that fails has nothing under way any more, and asked no further', async () => {
  const { file, run, service } = await publisher()
  const names = Array.from({ length: 3 * atOnce }, (_, index) => template(`$publisher::T${index}::v1`))
  file('catalog.yaml', names.join('---\n'))
  const inject = service.inject.bind(service)
  const asked = new Set<string>()
  let underWay = 0
  service.inject = async (request) => {
    const [, name] = /templates\/\S+::(T\d+)::v1/.exec(decodeURIComponent(request.path)) ?? []
    if (name === undefined) return inject(request)
    asked.add(name)
    if (name === 'T0')
      return { status: 401, headers: {}, body: '{"request_id":"1","error":401,"message":"Not Authorized"}' }
    underWay++
    for (let turn = 0; turn < 200; turn++) await setImmediate()
    underWay--
    return inject(request)
  }
  expect(await run(['plan', 'catalog.yaml'])).toMatchObject({ code: 4, out: '' })
  expect({ asked: asked.size, underWay }).toEqual({ asked: atOnce, underWay: 0 })
})
