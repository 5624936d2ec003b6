import { expect, test } from 'vitest'
import { followFrames } from '../../../src/cli/preview/frames.ts'

/** A page whose frames are followed in a browser that answers at once, and the events that the browser reports of them. */
async function followed() {
  const receivers = new Map<string, (params: unknown, session: unknown) => void>()
  const browser = { send: async () => ({}), on: receivers.set.bind(receivers) }
  const frames = await followFrames(browser, { session: 'page', id: 'own' })
  const reports = (event: string, params: object) => receivers.get(event)?.(params, 'page')
  return {
    ...frames,
    loads: (frameId: string) => reports('Page.frameAttached', { frameId }),
    rests: (frameId: string) => reports('Page.lifecycleEvent', { frameId, name: 'networkIdle' }),
    goes: (frameId: string) => reports('Page.frameDetached', { frameId, reason: 'remove' }),
  }
}

test('all who wait for the frames of a page go on once the last one loads nothing any more, or is gone', async () => {
  const { settled, loads, rests, goes } = await followed()
  for (const frame of ['one', 'other']) loads(frame)
  const waiting = [settled(10_000), settled(10_000)]
  rests('one')
  goes('other')
  expect(await Promise.all([...waiting, settled(10_000)])).toEqual([true, true, true])
})

test('a frame that does not come to rest is not waited for any longer than it may be', async () => {
  const { settled, loads } = await followed()
  loads('one')
  expect(await settled(1)).toBe(false)
})
