import { get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { freshToken } from './serve.mjs'
import { otherUser } from './watched-service.mjs'

/** What a reverse proxy on this machine adds: the publisher is on another one. */
const far = { 'X-Forwarded-For': '203.0.113.9' }

/** Begins a session of a page of the console with a login; its headers. */
async function begin({ base_url, app_id }, token) {
  const headers = { ...far, 'App-Id': app_id, Authorization: `Bearer ${token}` }
  const answer = await fetch(`${base_url}/__vatom/console/session`, { method: 'POST', headers })
  const text = await answer.text()
  const session = answer.headers.get('vatom-page-session')
  if (session === null) throw new Error(`no session of the console: ${text}`)
  return { headers: { ...far, 'vatom-page-session': session }, length: text.length }
}

/** What another user, and the event loop, notice of some work. */
async function beside(service, { other, publisher }, work) {
  const token = await freshToken(service.ready, publisher)
  const calm = await freshToken(service.ready, other)
  await service.measured()
  const end = otherUser(service.ready, calm)
  const start = performance.now()
  const bytes = await work(service.ready, token)
  const took = performance.now() - start
  const { hold, elapsed } = await service.measured()
  return { status: 200, bytes, took, hold, elapsed, slowest: await end() }
}

async function signIns(ready, token, count) {
  let bytes = 0
  for (let begun = 0; begun < count; begun++) bytes += (await begin(ready, token)).length
  return bytes
}

/** Pages of the console that are open: each is sent the number of the latest request over and over. */
async function openPages(ready, token, count) {
  const { headers } = await begin(ready, token)
  let bytes = 0
  const pages = Array.from({ length: count }, () =>
    get(`${ready.base_url}/__vatom/console/events`, { headers }, (answer) =>
      answer.on('data', (chunk) => {
        bytes += chunk.length
      }),
    ),
  )
  await setTimeout(3000)
  for (const page of pages) page.destroy()
  return bytes
}

/** What a publisher on another machine does with the console, each with many users beside it. */
export const consolePages = {
  'a publisher elsewhere signs in to the console 400 times': (service, sessions) =>
    beside(service, sessions, (ready, token) => signIns(ready, token, 400)),
  'three pages of the console elsewhere are open': (service, sessions) =>
    beside(service, sessions, (ready, token) => openPages(ready, token, 3)),
}
