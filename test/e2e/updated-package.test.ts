import { once } from 'node:events'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { localPrefix, localRoutes } from '../../src/contract/api/local-routes.ts'
import { api, operations } from '../../src/contract/api/table.ts'
import { ended, newMachine } from '../support/binary.ts'
import { projectWith } from '../support/installed.ts'
import { dial } from '../support/sockets.ts'

/** A service of an installed package, and what removes that under it, as an update does. */
async function served(change = (_manifest: string) => {}) {
  const folder = projectWith({})
  const installed = join(folder, 'node_modules/vatom')
  change(join(installed, 'dist/manifest.json'))
  const child = newMachine(join(installed, 'bin/vatom.js')).start(['serve', '--port', '0', '--memory', '--json'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const run = ended(child)
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')
  const ready = JSON.parse(line)
  const headers = { 'app-id': ready.app_id, authorization: `Bearer ${ready.access_token}` }
  return {
    child,
    run,
    ready,
    ask: (method: string, path: string, more = {}) =>
      fetch(ready.base_url + path, { method, headers: { ...headers, ...more } }),
    replace: () => renameSync(installed, join(folder, 'former')),
    putBack: () => renameSync(join(folder, 'former'), installed),
  }
}

/** All that is asked for, the end of the session last. */
const requests = [
  ...operations.filter(([operation]) => operation !== 'logout').map(([, { method, path }]) => ({ method, path })),
  ...localRoutes.map(([, { method, path }]) => ({ method, path: localPrefix + path })),
  { method: 'GET', path: `${localPrefix}openapi.json` },
  { method: 'GET', path: '/assets/x' },
  api.logout,
]

test('a service goes on with all that it answers when its package is replaced, and ends as ever', async () => {
  const { child, run, ready, ask, replace } = await served()
  replace()
  const { next } = dial(`${ready.ws_url}?app_id=${ready.app_id}&token=${ready.access_token}`)
  expect(await next()).toMatchObject([{ msg_type: 'info' }])
  const failed: string[] = []
  for (const { method, path } of requests) {
    const { status } = await ask(method, path.replace(/:\w+/g, 'x'))
    if (status === 403 || (status >= 500 && status !== 501)) failed.push(`${method} ${path}: ${status}`)
  }
  // They are told no refresh token, and no thread of the user.
  expect(failed).toEqual(['POST /v1/access_token: 403', 'POST /v1/activity/mythreadmessages: 403'])
  child.kill('SIGTERM')
  const { code, err } = await run
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringMatching(/internal: |outdated: /) })
})

/** What a package has that reads no code ahead. */
function readingLate(manifest: string): void {
  const { service: _, ...others } = JSON.parse(readFileSync(manifest, 'utf8'))
  writeFileSync(manifest, JSON.stringify(others))
}

type Served = Awaited<ReturnType<typeof served>>
const script = async ({ ask }: Served) => {
  const page = await (await ask('GET', '/', { accept: 'text/html' })).text()
  return /<script type="module" src="([^"]+)"/.exec(page)?.[1] ?? ''
}

/** What is answered, each time, for what needs a file that is gone. */
async function refusedTwice({ ask }: Served, path: string, message: string) {
  for (const one of [path, path]) {
    const answer = await ask('GET', one)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ error: 9054, message })
  }
}

const another = 'Another version of vatom has replaced the one that runs'

/** The files come back, the service ends as ever, and its log has said once what was gone. */
async function restored({ child, run, ask, putBack }: Served, path: string) {
  putBack()
  for (const one of ['/__vatom/ready', path]) expect(await ask('GET', one)).toMatchObject({ status: 200 })
  child.kill('SIGTERM')
  const { code, err } = await run
  expect({ code, said: err.split('outdated: ').length - 1 }).toEqual({ code: 0, said: 1 })
  expect(err).not.toContain('internal: ')
}

test('where code is gone, what needs it is refused, and the service is not ready, until it is back', async () => {
  const service = await served(readingLate)
  const path = '/__vatom/metrics'
  expect(await service.ask('GET', '/__vatom/ready')).toMatchObject({ status: 200 })
  service.replace()
  await refusedTwice(service, path, `${another}: start it again`)
  expect(await service.ask('GET', '/__vatom/ready')).toMatchObject({ status: 503 })
  expect(await service.ask('GET', '/__vatom/health')).toMatchObject({ status: 200 })
  await restored(service, path)
})

test('where a script of the console is gone, that alone is refused: the service stays ready', async () => {
  const service = await served()
  const path = await script(service)
  service.replace()
  await refusedTwice(service, path, `${another}, and a file of this page with it: start it again`)
  for (const one of ['/__vatom/ready', '/__vatom/metrics', '/v1/user'])
    expect(await service.ask('GET', one)).toMatchObject({ status: 200 })
  await restored(service, path)
})
