import { describe, expect, test } from 'vitest'
import { template } from '../../../fixtures/bodies.ts'
import { action, grant, outputOf, owned, perform, seen } from '../../../support/acting.ts'
import { made } from '../../../support/service.ts'
import { twoPublishers, watched } from '../../../support/worlds.ts'

const name = 'local.vatom::Coupon'

const bobs = { 'new.owner.email': 'bob@example.com' }

describe('Clone', () => {
  const gain = { cloning_gain: 0.1, max_clones: 3 }
  /** A vAtom of a template that can be cloned, unless it is told otherwise. */
  async function cloneable({ fields = {}, db = ':memory:', draft = false, cloneable = true, type = {} } = {}) {
    const opened = await twoPublishers({ db })
    const { publisher } = opened
    const unpublished = draft
    const { ids } = await made(
      publisher,
      [
        'POST',
        '/v1/templates',
        template({ template: name, unpublished: false, cloneable }, { title: 'Bean', ...type }, { n: 1 }),
      ],
      ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V`, unpublished, ...fields }],
      ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }],
    )
    await action(publisher, name, 'Clone')
    await action(publisher, name, 'Update')
    return { ...opened, id: String(ids[0]) }
  }

  test('§2.2 a copy goes to the recipient, and the score of the original grows by the gain', async () => {
    const { db, events } = watched()
    const { publisher, bob, id, advance } = await cloneable({ fields: gain, db })
    await perform(publisher, 'Update', id, { 'private.n': 2 })
    const original = await seen(publisher, id)
    const before = (await events()).length
    advance(60)
    const { ids } = outputOf(await perform(publisher, 'Clone', id, bobs))
    expect(await owned(bob)).toEqual(ids)
    const copy = await seen(bob, ids[0])
    const when = '2027-03-01T12:01:00Z'
    expect(copy).toMatchObject({
      sync: 1,
      when_created: when,
      when_modified: when,
      when_added: when,
      private: { n: 2 },
    })
    expect(copy.type).toEqual({ ...original.type, owner: bob.id, transferred_by: publisher.id, cloned_from: id })
    const after = await seen(publisher, id)
    expect(after.type).toEqual({ ...original.type, num_direct_clones: 1, cloning_score: 0.1 })
    expect(after.sync).toBe(original.sync + 1)
    const told = (await events()).slice(before)
    expect(told.map(({ type, user }) => [type, user])).toEqual([
      ['state_update', publisher.id],
      ['inventory', bob.id],
      ['inventory', publisher.id],
      ['my_events', bob.id],
    ])
    expect(told[3]).toMatchObject({ msg: '<b>Somebody</b> shared with you a <b>Bean</b> vAtom.', vatoms: ids })
  })

  test('a copy of what was redeemed can be redeemed', async () => {
    const { publisher, bob, id, service } = await cloneable({ fields: gain, type: { redeemable: true, commerce: {} } })
    await action(publisher, name, 'Redeem')
    await grant(service, bob, { is_merchant: true })
    outputOf(await perform(bob, 'Redeem', id))
    const { ids } = outputOf(await perform(bob, 'Clone', id, { 'new.owner.id': publisher.id }))
    expect([(await seen(bob, id)).type.redeemable, (await seen(publisher, ids[0])).type.redeemable]).toEqual([
      false,
      true,
    ])
    outputOf(await perform(bob, 'Redeem', ids[0]))
  })

  test('a copy is found by the author of the original', async () => {
    const { bob, publisher, id } = await cloneable()
    const { ids } = outputOf(await perform(publisher, 'Clone', id, bobs))
    const scope = { key: 'vAtom::vAtomType.author', value: publisher.id }
    const { payload } = await bob.call('POST', '/v1/vatom/discover', { body: { scope } })
    expect(payload.results.map((one: { id: string }) => one.id)).toEqual(ids)
  })

  test('there are no more clones than the variation says, and the score is a sum of decimals', async () => {
    const { publisher, bob, id } = await cloneable({ fields: gain })
    for (let count = 0; count < 3; count++) outputOf(await perform(publisher, 'Clone', id, bobs))
    const answer = await perform(publisher, 'Clone', id, bobs)
    expect(answer).toMatchObject({ status: 400, body: { error: 1627, issues: [{ path: 'this.id' }] } })
    expect((await seen(publisher, id)).type).toMatchObject({ num_direct_clones: 3, cloning_score: 0.3 })
    expect(await owned(bob)).toHaveLength(3)
    const { payload } = await publisher.call('GET', `/v1/template_variations/${name}::V`)
    expect(payload.properties).toMatchObject({ num_clones: 3, max_clones_reached: true })
  })

  test('of two who clone the last one at once, one does', async () => {
    const { publisher, bob, id } = await cloneable({ fields: { max_clones: 1 } })
    const answers = await Promise.all([1, 2].map(() => perform(publisher, 'Clone', id, bobs)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await owned(bob)).toHaveLength(1)
  })

  test('nobody clones for themself, nor what is another’s, nor what is not cloneable', async () => {
    const { publisher, bob, id } = await cloneable()
    const own = { 'new.owner.id': publisher.id }
    expect(await perform(publisher, 'Clone', id, own)).toMatchObject({
      status: 400,
      body: { error: 1639, issues: [{ path: 'new.owner.id' }] },
    })
    expect(await perform(bob, 'Clone', id, own)).toMatchObject({ status: 403, body: { error: 1604 } })
    expect(await owned(publisher)).toEqual([id])
    const fixed = await cloneable({ cloneable: false })
    expect(await perform(fixed.publisher, 'Clone', fixed.id, bobs)).toMatchObject({
      status: 400,
      body: { error: 1708 },
    })
  })

  test('what others see they do not clone, and a clone of what is dropped is not on the map', async () => {
    const { publisher, bob, other, id } = await cloneable({ type: { visibility: { type: 'container' } } })
    await action(publisher, name, 'Drop')
    outputOf(await perform(publisher, 'Drop', id, { 'geo.pos': { lat: 1, lon: 2 } }))
    const input = { 'new.owner.id': other.id }
    expect(await perform(bob, 'Clone', id, input)).toMatchObject({ status: 403, body: { error: 1604 } })
    const { ids } = outputOf(await perform(publisher, 'Clone', id, bobs))
    expect((await seen(bob, ids[0])).type).toMatchObject({
      dropped: false,
      geo_pos: { coordinates: [0, 0] },
      visibility: { type: 'owner', value: '*' },
    })
  })

  test('clones of a draft count among its ten vAtoms', async () => {
    const { publisher, id } = await cloneable({ draft: true })
    for (let count = 1; count < 10; count++) outputOf(await perform(publisher, 'Clone', id, bobs))
    expect(await perform(publisher, 'Clone', id, bobs)).toMatchObject({ status: 400, body: { error: 9008 } })
  })
})
