import { once } from 'node:events'
import { createServer as createConnections } from 'node:net'
import { callerOf, freshToken, sessionOf } from './serve.mjs'

/** Registers an action of vAtoms of a template, and a server that runs on this machine as the handler of it. */
export async function registerHandler(ready, template, server) {
  await once(server.listen(0, '127.0.0.1').unref(), 'listening')
  const call = callerOf(ready, await freshToken(ready, await sessionOf(ready)))
  const reactor = 'local.vatom://ask'
  await call('POST', '/v1/publisher/action_handler', { reactor, url: `http://127.0.0.1:${server.address().port}/` })
  await call('POST', '/v1/publisher/action', { name: `${template}::Action::Ask`, reactor, wait: true })
}

/** Says the same to whoever asks something, at once. */
export const saying = (text) =>
  createConnections((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write(text))
  })
