import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { action, outputOf, perform } from '../../support/acting.ts'
import { answering } from '../../support/action-handler.ts'
import { answeringAll, nameServer, silentForSome } from '../../support/name-server.ts'
import { hasIpv6, started } from '../../support/servers.ts'
import { type Caller, emitted, made } from '../../support/service.ts'
import { signedIn, twoPublishers } from '../../support/worlds.ts'

/** A function that performs an action of a publisher's vAtom: Stamp, which a handler at an address carries out, or one after which Stamp is performed. */
async function stamping(publisher: Caller, name: string, url: string, settings: object = {}) {
  const reactor = `x://${name}`
  const [id = ''] = await emitted(publisher, name, 1)
  await made(publisher, ['POST', '/v1/publisher/action_handler', { reactor, url }])
  await action(publisher, name, 'Stamp', { reactor, ...settings })
  await action(publisher, name, 'Greet', { reactor: 'blockv://v1/Activate', policy: { post: ['Stamp'] } })
  return (one: 'Stamp' | 'Greet' = 'Stamp') => perform(publisher, one, id)
}

describe('a handler at localhost', () => {
  const stampAt = async (url: string) => stamping((await twoPublishers()).publisher, 'local.vatom::Card', url)

  test.each(['localhost', 'x.y.localhost'])(
    'is called on this machine, whatever a name server says: %s',
    async (host) => {
      const looked = answeringAll()
      const { asked, port } = await answering({ output: 1 })
      const stamp = await stampAt(`http://${host}:${port}/`)
      expect(outputOf(await stamp())).toBe(1)
      expect(asked[0]?.headers.host).toBe(`${host}:${port}`)
      expect(looked).toEqual([])
    },
  )

  test('is called by a service that is busy as it connects', async () => {
    const { port } = await answering({ output: 1 })
    const stamp = await stampAt(`http://localhost:${port}/`)
    const busy = () => {
      const end = performance.now() + 400
      while (performance.now() < end);
    }
    // The connection is begun before what is next after the next.
    const onConnection = () => process.nextTick(() => process.nextTick(busy))
    subscribe('net.client.socket', onConnection)
    onTestFinished(() => void unsubscribe('net.client.socket', onConnection))
    expect(outputOf(await stamp())).toBe(1)
  })

  test.runIf(hasIpv6)('is called where it listens on IPv6 alone', async () => {
    const { port } = await started(
      createServer((_request, response) => response.end('{"output": 1}')),
      '::1',
    )
    const stamp = await stampAt(`http://localhost:${port}/`)
    expect(outputOf(await stamp())).toBe(1)
  })
})

describe('where the name server does not answer for a host', () => {
  const handlerHosts = ['a.silent.example', 'b.silent.example', 'c.example', 'd.example']
  const publishers = ['local.vatom', 'other.example', 'third.example']

  /** A handler that is at all of these hosts, and what gives a publisher an action that one of them carries out. */
  async function world() {
    const { looked, answerAll } = silentForSome()
    const { port } = await answering({ output: 1 })
    const opened = await twoPublishers({ handlerHosts, publishers })
    const { publisher, other } = opened
    const third = await signedIn(opened, 'third.example')
    const at = (caller: Caller, host: string, timeout = 5000) => {
      const domain = publishers[[publisher, other, third].indexOf(caller)]
      return stamping(caller, `${domain}::${host}`, `http://${host}:${port}/`, { timeout })
    }
    return { publisher, other, third, at, looked, answerAll }
  }
  const late = { status: 504, body: { error: 1508, message: expect.stringMatching(/did not answer within \d+ ms/) } }
  const refused = (message: string) => ({
    status: 503,
    body: { error: 9016, message: expect.stringContaining(message) },
  })

  test('the handlers of other publishers are called, and it is asked once', async () => {
    const { publisher, other, at, looked } = await world()
    const silent = await at(publisher, 'a.silent.example', 100)
    const others = [await at(other, 'c.example'), await at(other, 'localhost'), await at(other, '127.0.0.1')]
    for (const answer of await Promise.all(Array.from({ length: 20 }, () => silent())))
      expect(answer).toMatchObject(late)
    for (const stamp of others) expect(outputOf(await stamp())).toBe(1)
    expect(looked).toEqual(['a.silent.example', 'c.example'])
  })

  test('other hosts of its publisher are refused as busy until it answers', async () => {
    const { publisher, at, looked, answerAll } = await world()
    const silent = await at(publisher, 'a.silent.example', 100)
    const stamp = await at(publisher, 'c.example')
    expect(await silent()).toMatchObject(late)
    const answer = await stamp()
    expect(answer).toMatchObject(refused('c.example cannot be looked up now: the name server that'))
    expect(answer.headers).toMatchObject({ 'retry-after': '1' })
    expect(looked).toEqual(['a.silent.example'])
    answerAll()
    for (const one of [stamp, silent]) expect(outputOf(await one())).toBe(1)
  })

  test('and for one of another publisher, the rest is refused as busy, but this machine is reached', async () => {
    const { publisher, other, third, at } = await world()
    const silent = [await at(publisher, 'a.silent.example', 100), await at(other, 'b.silent.example', 100)]
    const [stamp, local] = [await at(third, 'c.example'), await at(third, 'localhost')]
    for (const answer of await Promise.all(silent.map((one) => one()))) expect(answer).toMatchObject(late)
    expect(await stamp()).toMatchObject(refused('c.example cannot be looked up now'))
    expect(outputOf(await local())).toBe(1)
  })

  test('a refusal says what was done before it, and asks for no other request', async () => {
    const { publisher, at } = await world()
    const silent = await at(publisher, 'a.silent.example', 100)
    const stamp = await at(publisher, 'c.example')
    expect(await silent()).toMatchObject(late)
    const answer = await stamp('Greet')
    expect(answer).toMatchObject(refused('of other handlers, but Greet is already done: check the result'))
    expect(answer.headers).not.toHaveProperty('retry-after')
  })
})

test('hosts of a publisher that are looked up wait for each other', async () => {
  const looked = nameServer(() => setTimeout(50, '127.0.0.1'))
  const { port } = await answering({ output: 1 })
  const handlerHosts = ['c.example', 'd.example']
  const { publisher } = await twoPublishers({ handlerHosts })
  const [one, another] = await Promise.all(
    handlerHosts.map((host) => stamping(publisher, `local.vatom::${host}`, `http://${host}:${port}/`)),
  )
  const answers = await Promise.all([one, another, one, another].map((stamp) => stamp?.()))
  expect(answers).toMatchObject(answers.map(() => ({ status: 200 })))
  expect(looked.sort()).toEqual(handlerHosts)
})
