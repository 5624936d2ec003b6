import { describe, expect, test } from 'vitest'
import { doors, emitted, testService } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

const path = (id: string) => `/v1/vatoms/${id}`

describe.each(doors)('%s', (door) => {
  test('a vAtom is answered as a search answers it', async () => {
    const { publisher } = await testService({}, door)
    const [id = ''] = await emitted(publisher, 'local.vatom::A', 1, { title: 'é "A"' }, { colour: 'red', n: 1.5 })
    const { payload } = await publisher.call('GET', path(id))
    expect(payload).toMatchObject({ id, 'vAtom::vAtomType': { title: 'é "A"' }, private: { colour: 'red', n: 1.5 } })
    const found = await publisher.call('POST', '/v1/vatom/discover', { body: {} })
    expect(found.payload.results).toEqual([payload])
    expect(payload).not.toHaveProperty('faces')
    expect(payload).not.toHaveProperty('actions')
  })

  test('a public vAtom needs no login; of others nobody learns without one whether they are there', async () => {
    const { publisher, send } = await testService({}, door)
    const [own = ''] = await emitted(publisher, 'local.vatom::Own', 1)
    const [open = ''] = await emitted(publisher, 'local.vatom::Open', 1, { visibility: { type: 'public' } })
    for (const authorization of ['', 'Bearer', 'Bearer ']) {
      const headers: Record<string, string> = authorization === '' ? {} : { authorization }
      expect(await send('GET', path(open), { headers })).toMatchObject({ status: 200, payload: { id: open } })
      const [hidden, none] = [
        await send('GET', path(own), { headers }),
        await send('GET', path('nothing'), { headers }),
      ]
      expect(hidden).toMatchObject({ status: 403, body: { error: 401 } })
      expect({ ...none.body, request_id: '' }).toEqual({ ...hidden.body, request_id: '' })
    }
  })

  test('a login that is no longer good is refused, even for a public vAtom', async () => {
    const { publisher, send, advance } = await testService({}, door)
    const [open = ''] = await emitted(publisher, 'local.vatom::Open', 1, { visibility: { type: 'public' } })
    const refused = { status: 403, body: { error: 401 } }
    expect(await send('GET', path(open), { headers: { authorization: 'Bearer x' } })).toMatchObject(refused)
    advance(600)
    expect(await publisher.call('GET', path(open))).toMatchObject(refused)
  })
})

test('a vAtom is read by its owner, and by anyone once everybody may find it', async () => {
  const { publisher, other } = await twoPublishers()
  const [own = ''] = await emitted(publisher, 'local.vatom::Own', 1)
  const [loose = ''] = await emitted(publisher, 'local.vatom::Loose', 1, { visibility: { type: 'container' } })
  const [open = ''] = await emitted(publisher, 'local.vatom::Open', 1, { visibility: { type: 'public' } })
  for (const id of [own, loose, open]) expect(await publisher.call('GET', path(id))).toMatchObject({ status: 200 })
  for (const id of [own, loose]) {
    const answer = await other.call('GET', path(id))
    expect(answer).toMatchObject({ status: 403, body: { error: 1604 } })
    expect(answer.text).not.toContain('local.vatom')
  }
  expect(await other.call('GET', path(open))).toMatchObject({ status: 200, payload: { id: open } })
})

test.each(['nothing', '.', '%00', '00000000-0000-0000-0000-000000000000', "'--", '%F0%9F%92%A5'])(
  'a vAtom that is not there is 404: %s',
  async (id) => {
    const { publisher } = await testService()
    await emitted(publisher, 'local.vatom::A', 1)
    expect(await publisher.call('GET', path(id))).toMatchObject({ status: 404, body: { error: 1701 } })
  },
)
