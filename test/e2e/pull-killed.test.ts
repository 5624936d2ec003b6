import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../src/server/service.ts'
import * as bodies from '../fixtures/bodies.ts'
import { ended, newMachine } from '../support/binary.ts'

const templates = 50
/** How many files a pull is writing when it is killed. */
const moments = [1, 30]

/** A service with templates, and a machine whose environment says where it is. */
async function stocked() {
  const service = await openService({ db: ':memory:', scryptCost: 16 })
  onTestFinished(() => service.close())
  const headers = { 'app-id': service.appId, authorization: `Bearer ${service.localToken()}` }
  for (let n = 0; n < templates; n++) {
    const body = JSON.stringify(bodies.template({ template: `local.vatom::Item${n}::v1` }))
    expect(await service.inject({ method: 'POST', path: '/v1/templates', headers, body })).toMatchObject({
      status: 200,
    })
  }
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId, VATOM_ACCESS_TOKEN: service.localToken() }
  return { machine: newMachine(), env }
}

const temporary = (name: string) => name.endsWith('.tmp')
const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])

test('a killed pull leaves whole files only, and the next one removes what it was writing', async () => {
  const { machine, env } = await stocked()
  const folder = join(machine.home, 'catalog')
  let unfinished = 0
  for (const [n, writing] of moments.entries()) {
    const child = machine.start(['pull', `catalog${n}`], { env })
    const run = ended(child)
    const target = `${folder}${n}`
    while (child.exitCode === null && namesIn(target).filter(temporary).length < writing) await setTimeout(1)
    child.kill('SIGKILL')
    await run
    const names = namesIn(target)
    unfinished += names.filter(temporary).length
    for (const name of names.filter((one) => one.endsWith('.yaml') && one !== 'vatom.yaml'))
      expect(readFileSync(join(target, name), 'utf8')).toMatch(/^# yaml[\s\S]+template: [\s\S]+\n$/)
    expect(await machine.vatom(['pull', `catalog${n}`], { env })).toMatchObject({ code: 0 })
    expect(
      readdirSync(target)
        .filter((name) => !name.startsWith('item'))
        .sort(),
    ).toEqual(['.vatom', 'vatom.yaml'])
    expect(readdirSync(target)).toHaveLength(templates + 2)
  }
  expect(unfinished).toBeGreaterThan(0)
}, 180_000)
