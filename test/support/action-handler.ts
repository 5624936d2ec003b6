import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createConnections } from 'node:net'
import tls from 'node:tls'
import { onTestFinished, vi } from 'vitest'
import { selfSigned } from '../fixtures/self-signed.ts'
import { serverOf, started } from './servers.ts'

/** What a handler was asked. */
export interface Asked {
  readonly headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: tests read requests of every shape
  readonly body: any
}

/** An action handler on this machine, and what it was asked. */
export async function handlerOf(answer: (response: ServerResponse, asked: Asked) => unknown) {
  const asked: Asked[] = []
  const { port, url } = await serverOf(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const one = { headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString()) }
    asked.push(one)
    await answer(response, one)
  })
  return { asked, port, url: `${url}/stamp` }
}

/** A handler that answers JSON. */
export const answering = (reply: unknown, status = 200) =>
  handlerOf((response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply)))

/** A handler for 127.0.0.1 that is asked over TLS, whose certificate is trusted as long as the test runs, or not. */
export async function secureHandler(answer: (response: ServerResponse) => unknown, isTrusted = true) {
  const { port } = await started(
    createSecureServer(selfSigned, (request, response) => request.resume().on('end', () => answer(response))),
  )
  if (isTrusted) {
    const trusting = tls.createSecureContext({ ca: selfSigned.cert })
    const contexts = vi.spyOn(tls, 'createSecureContext').mockReturnValue(trusting)
    onTestFinished(() => contexts.mockRestore())
  }
  return { at: (host: string) => `https://${host}:${port}/` }
}

/** A handler that says text to whoever connects, and never ends a connection; `closed` resolves once the first has ended. */
export async function saying(text: string) {
  let ended = () => {}
  const closed = new Promise<void>((resolve) => {
    ended = resolve
  })
  const server = createConnections((socket) => {
    socket.on('error', () => {})
    socket.on('close', ended)
    socket.once('data', () => socket.write(text))
  })
  const { url } = await started(server)
  return { closed, url: `${url}/` }
}

/** A gate that those who wait are let through once it is opened. */
export function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** A handler that is at work until it is let go, and answers then. */
export async function slowHandler(reply = '{}') {
  const atWork = gate()
  const go = gate()
  const { url, asked } = await handlerOf(async (response) => {
    atWork.open()
    await go.opened
    response.end(reply)
  })
  return { url, asked, atWork: atWork.opened, go: go.open }
}
