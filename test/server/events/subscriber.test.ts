import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { publishChange } from '../../../src/server/domain/events.ts'
import { openStore } from '../../../src/server/store/store.ts'
import type { VatomRow } from '../../../src/server/store/vatoms/vatoms.ts'
import { template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { action, outputOf, owned, perform } from '../../support/acting.ts'
import { newDatabase } from '../../support/folders.ts'
import { made } from '../../support/service.ts'
import { hall, says, type Told } from '../../support/sockets.ts'
import { onMap } from '../../support/worlds.ts'

describe('the map', () => {
  const paris = { lat: 48.85, lon: 2.35 }
  const around = ({ lat, lon }: typeof paris, degrees = 1) => ({
    top_left: { lat: lat + degrees, lon: lon - degrees },
    bottom_right: { lat: lat - degrees, lon: lon + degrees },
  })
  const monitor = (payload: object) =>
    JSON.stringify({ id: '1', version: '1', type: 'command', cmd: 'monitor', payload })

  /** A service with a connection of its publisher's, one of a user's who looks at a region, and a vAtom that moves. */
  async function square(region: object) {
    const db = newDatabase()
    const world = await hall({ db })
    const [ann, bob] = [await world.register('ann@example.com'), await world.register('bob@example.com')]
    const viewer = await world.connected(bob)
    viewer.socket.send(monitor(region))
    await viewer.settled()
    const store = await openStore(db)
    onTestFinished(() => store.close())
    const vatom = (owner: string, place?: { lat: number; lon: number }, fields: Partial<VatomRow> = {}): VatomRow => ({
      id: 'v1',
      owner,
      template: templateName,
      template_variation: variationName,
      parent_id: '.',
      public: place ? 1 : 0,
      json: JSON.stringify({
        'vAtom::vAtomType': {
          dropped: place !== undefined,
          geo_pos: { coordinates: place ? [place.lon, place.lat] : [0, 0] },
        },
      }),
      ...fields,
    })
    /** Tells, as a process of its own would, that an action changed the vAtom. */
    const changes = (action: string, before: VatomRow, after: VatomRow) =>
      store.write(() => publishChange({ store, now: world.clock() }, action, before, after))
    /** What the viewer is told until a message that comes last. */
    const told = async (speaker = ann) => {
      await says(speaker, bob, 'end')
      for (const all: Told[] = []; ; ) {
        all.push(...(await viewer.next()))
        if (all.at(-1)?.payload.msg === 'end') return all.slice(0, -1)
      }
    }
    return { ...world, ann, bob, viewer, vatom, changes, told }
  }

  test('tells of what another drops and picks up in the region, with every key that clients read', async () => {
    const { ann, bob, vatom, changes, told } = await square(around(paris))
    await changes('Drop', vatom(ann.id), vatom(ann.id, paris))
    await changes('Pickup', vatom(ann.id, paris), vatom(ann.id))
    const event = { event_id: 'map_v1', vatom_id: 'v1', ...paris }
    expect(await told()).toEqual([
      { msg_type: 'map', payload: { ...event, op: 'add', action_name: 'Drop' }, user_id: bob.id },
      { msg_type: 'map', payload: { ...event, op: 'remove', action_name: 'Pickup' }, user_id: bob.id },
    ])
  })

  test('tells who looks at it nothing from before they were connected, also if others have still to hear of it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { ann, bob, vatom, changes, viewer, connected } = await square(around(paris))
    await changes('Drop', vatom(ann.id), vatom(ann.id, paris))
    const late = await connected(bob)
    late.socket.send(monitor(around(paris)))
    await late.settled()
    vi.advanceTimersByTime(100)
    expect(await viewer.next()).toMatchObject([{ msg_type: 'map', payload: { op: 'add' } }])
    expect(await late.settled()).toEqual([])
  })

  test('tells nobody of their own', async () => {
    const { bob, vatom, changes, told } = await square(around(paris))
    await changes('Drop', vatom(bob.id), vatom(bob.id, paris))
    expect((await told()).map(({ msg_type }) => msg_type)).toEqual(['state_update'])
  })

  test('tells who picks up what was another’s that it is gone from there, and is theirs', async () => {
    const { ann, bob, vatom, changes, told, connected } = await square(around(paris))
    const owner = await connected(ann)
    await changes('Pickup', vatom(ann.id, paris), vatom(bob.id))
    const moved = { op: 'insert', id: 'v1', old_owner: ann.id, new_owner: bob.id, action_name: 'Pickup' }
    expect(await owner.next()).toMatchObject([{ msg_type: 'inventory', payload: moved, user_id: ann.id }])
    expect((await told()).map(({ msg_type, payload }) => [msg_type, payload.op])).toEqual([
      ['inventory', 'insert'],
      ['map', 'remove'],
    ])
  })

  test('tells nothing of what not everybody may find', async () => {
    const { ann, vatom, changes, told } = await square(around(paris))
    await changes('Drop', vatom(ann.id), vatom(ann.id, paris, { public: 0 }))
    expect(await told()).toEqual([])
  })

  /** A draft that may be dropped and given away, and a vAtom of it. */
  async function draft({ publisher }: Awaited<ReturnType<typeof square>>) {
    await made(
      publisher,
      ['POST', '/v1/templates', template({}, { transferable: true })],
      ['POST', '/v1/template_variations', variation()],
      ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }],
    )
    for (const name of ['Drop', 'Transfer']) await action(publisher, templateName, name)
    const [id = ''] = await owned(publisher)
    return id
  }
  const publish = (path: string) => ['PATCH', path, { unpublished: false }] as const

  test('tells of a draft, like the search, once it is published', async () => {
    const world = await square(around(paris))
    const { publisher, bob, told } = world
    const id = await draft(world)
    outputOf(await perform(publisher, 'Drop', id, { 'geo.pos': paris }))
    expect([await told(), await onMap(bob)]).toEqual([[], []])
    await made(publisher, publish(`/v1/templates/${templateName}`))
    expect([await told(), await onMap(bob)]).toEqual([[], []])
    await made(publisher, publish(`/v1/template_variations/${variationName}`))
    const payload = { event_id: `map_${id}`, op: 'add', vatom_id: id, action_name: 'Update', ...paris }
    expect(await told()).toEqual([{ msg_type: 'map', payload, user_id: bob.id }])
    expect(await onMap(bob)).toEqual([id])
  })

  test('tells that what a user dropped who is deleted is gone, and nothing of what they had else', async () => {
    const world = await square(around(paris))
    const { publisher, ann, bob, told } = world
    const id = await draft(world)
    await made(
      publisher,
      publish(`/v1/templates/${templateName}`),
      publish(`/v1/template_variations/${variationName}`),
      ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }],
    )
    for (const one of await owned(publisher))
      outputOf(await perform(publisher, 'Transfer', one, { 'new.owner.id': ann.id }))
    outputOf(await perform(ann, 'Drop', id, { 'geo.pos': paris }))
    expect((await told()).map(({ payload }) => payload.op)).toEqual(['add'])
    await made(ann, ['DELETE', '/v1/user'])
    const payload = { event_id: `map_${id}`, op: 'remove', vatom_id: id, action_name: 'Trash', ...paris }
    expect(await told(publisher)).toEqual([{ msg_type: 'map', payload, user_id: bob.id }])
    expect(await onMap(bob)).toEqual([])
  })

  test('tells of what is moved from one place to another as gone and there', async () => {
    const { ann, vatom, changes, told } = await square(around(paris))
    await changes('Drop', vatom(ann.id, { lat: 48.5, lon: 2.5 }), vatom(ann.id, paris))
    expect((await told()).map(({ payload }) => [payload.op, payload.lat])).toEqual([
      ['remove', 48.5],
      ['add', 48.85],
    ])
  })

  test('tells of the last region alone', async () => {
    const { ann, vatom, changes, told, viewer } = await square(around(paris))
    viewer.socket.send(monitor(around({ lat: 0, lon: 0 })))
    await viewer.settled()
    await changes('Drop', vatom(ann.id), vatom(ann.id, paris))
    expect(await told()).toEqual([])
    await changes('Drop', vatom(ann.id), vatom(ann.id, { lat: 0.5, lon: -0.5 }))
    expect(await told()).toHaveLength(1)
  })

  test('keeps the region that it has when a command is wrong', async () => {
    const { ann, vatom, changes, told, viewer } = await square(around(paris))
    for (const wrong of [{}, { top_left: paris }, around({ lat: 0, lon: 540 })]) viewer.socket.send(monitor(wrong))
    viewer.socket.send(monitor(around(paris)).replace('monitor', 'look'))
    expect(await viewer.next(4)).toMatchObject(
      [
        /^payload.top_left is required/,
        /^payload.bottom_right is required$/,
        /^payload.bottom_right.lon: must be .*540/,
        /^monitor is the only command$/,
      ].map((message) => ({ msg_type: 'error', payload: { id: '1', message: expect.stringMatching(message) } })),
    )
    await changes('Drop', vatom(ann.id), vatom(ann.id, paris))
    expect(await told()).toHaveLength(1)
  })

  const box = (north: number, west: number, south: number, east: number) => ({
    top_left: { lat: north, lon: west },
    bottom_right: { lat: south, lon: east },
  })
  test.each([
    [box(1, -1, -1, 1), 0, 1, true],
    [box(1, -1, -1, 1), 0, 1.01, false],
    [box(1, -1, -1, 1), 1.01, 0, false],
    [box(-1, -1, 1, 1), 0.5, 0, true],
    [box(1, 170, -1, -170), 0, 175, true],
    [box(1, 170, -1, -170), 0, -175, true],
    [box(1, 170, -1, -170), 0, 180, true],
    [box(1, 170, -1, -170), 0, 165, false],
    [box(1, 170, -1, -170), 0, 0, false],
    [box(1, 170, -1, 190), 0, -175, true],
    [box(1, -190, -1, -170), 0, 175, true],
    [box(90, -180, -90, 180), 0, 123, true],
    [box(90, -200, -90, 200), 0, -123, true],
    [box(91, -1, 89, 1), 90, 0, true],
    [box(91, -1, 89, 1), 88, 0, false],
    [box(1, 538, -1, 540), 0, 179, true],
    [box(1, 5, -1, 5), 0, 5, true],
    [box(1, 5, -1, 5), 0, 6, false],
  ])('the region %j has the place %d, %d: %s', async (region, lat, lon, isThere) => {
    const { ann, vatom, changes, told } = await square(region)
    await changes('Drop', vatom(ann.id), vatom(ann.id, { lat, lon }))
    expect(await told()).toHaveLength(isThere ? 1 : 0)
  })
})
