import { describe, expect, test } from 'vitest'
import { type BridgeHost, bridgeAnswer, bridgeVersion, updateMessage } from '../../../src/web/faces/bridge.ts'
import { faceOf, vatomWith } from './subjects.ts'

const vatom = vatomWith({ Icon: 'a.png' }, { title: 'Cup' }, { private: { level: 3 } })
const child = { ...vatomWith({}), id: 'v2' }
const host = (more: Partial<BridgeHost> = {}): BridgeHost => ({
  platform: 'web',
  viewMode: 'card',
  face: { template: 'acme::Cup', ...faceOf('https://faces.example/x') },
  vatom,
  children: [child],
  resolve: (url) => `https://here.example/${url}`,
  onMessage: undefined,
  ...more,
})

describe('version 1 of the bridge', () => {
  test('starts with the vAtom: custom properties among the others, addresses of resources', async () =>
    expect(await bridgeAnswer({ name: 'vatom.init' }, host())).toEqual({
      source: 'VatomicSDK',
      name: 'vatom.init-complete',
      data: {
        vatomInfo: {
          id: 'v1',
          properties: expect.objectContaining({ title: 'Cup', level: 3 }),
          resources: { Icon: 'https://here.example/a.png' },
          faceProperties: host().face,
        },
      },
    }))
  test('apps say more of themselves', async () =>
    expect(await bridgeAnswer({ name: 'vatom.init', responseID: 'r1' }, host({ platform: 'ios' }))).toMatchObject({
      name: 'r1',
      data: { viewMode: 'card', viewer: {}, user: { id: 'u1' } },
    }))
  test('answers the children, and vAtoms within reach only', async () => {
    expect(await bridgeAnswer({ name: 'vatom.children.get', data: { id: 'v1' } }, host())).toMatchObject({
      name: 'vatom.children.get-response',
      data: { items: [{ vatomInfo: { id: 'v2' } }] },
    })
    expect(await bridgeAnswer({ name: 'vatom.get', responseID: 'g', data: { id: 'v2' } }, host())).toMatchObject({
      data: { vatomInfo: { id: 'v2' } },
    })
    expect(await bridgeAnswer({ name: 'vatom.get', responseID: 'g', data: { id: 'v9' } }, host())).toMatchObject({
      name: 'g',
      data: { errorCode: 'viewer_error', errorText: 'a face reaches only its own vAtom and what is in it' },
    })
  })
  test('hands actions and the rest to the page, and says what is not answered', async () => {
    const asked: unknown[] = []
    const onMessage = (name: string, payload: unknown) => {
      asked.push([name, payload])
      return name === 'vatom.performAction' ? { ok: true } : undefined
    }
    const act = { name: 'vatom.performAction', responseID: 'a', data: { actionName: 'Drop' } }
    expect(await bridgeAnswer(act, host({ onMessage }))).toMatchObject({ name: 'a', data: { ok: true } })
    expect(await bridgeAnswer({ name: 'ui.map.show', responseID: 'm' }, host({ onMessage }))).toMatchObject({
      data: { errorText: 'this viewer does not answer ui.map.show' },
    })
    expect(asked).toEqual([
      ['vatom.performAction', { actionName: 'Drop' }],
      ['ui.map.show', undefined],
    ])
  })
  test('reports changes', () =>
    expect(updateMessage(1, host())).toMatchObject({ name: 'vatom.updated', data: { vatomInfo: { id: 'v1' } } }))
})

describe('version 2 of the bridge', () => {
  const ask = (name: string, payload: unknown = {}, more: Partial<BridgeHost> = {}) =>
    bridgeAnswer({ name, payload, version: '2.0.0', request_id: 'msg_1', source: 'blockv_face_sdk' }, host(more))

  test('starts with the records of the vAtom and of the face', async () =>
    expect(await ask('core.init')).toEqual({
      source: 'BLOCKv SDK',
      version: '2.0.0',
      name: 'core.init',
      response_id: 'msg_1',
      payload: {
        vatom,
        face: { id: '', template: 'acme::Cup', properties: faceOf('https://faces.example/x') },
      },
    }))
  test('answers the vAtom, its children and addresses', async () => {
    expect(await ask('core.vatom.get')).toMatchObject({ payload: { vatom: { id: 'v1' } } })
    expect(await ask('core.vatom.children.get')).toMatchObject({ payload: { vatoms: [{ id: 'v2' }] } })
    expect(await ask('core.user.current.get')).toMatchObject({ payload: { user: { id: 'u1' } } })
    expect(await ask('core.resource.encode', { urls: ['a.png', 1] })).toMatchObject({
      payload: { urls: ['https://here.example/a.png', 1] },
    })
  })
  test('a refusal has its text', async () => {
    const onMessage = () => Promise.reject(new Error('no such action'))
    expect(await ask('core.action.perform', {}, { onMessage })).toMatchObject({
      response_id: 'msg_1',
      error_code: 'viewer_error',
      error_message: 'no such action',
    })
  })
  test('reports changes', () =>
    expect(updateMessage(2, host())).toMatchObject({ name: 'core.vatom.update', payload: { vatom: { id: 'v1' } } }))
})

test.each([undefined, null, 'text', 1, [], {}, { name: 1 }])('%o is no message', async (data) => {
  expect(await bridgeAnswer(data, host())).toBeUndefined()
  expect(bridgeVersion(data)).toBeUndefined()
})
