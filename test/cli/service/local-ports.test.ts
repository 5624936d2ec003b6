import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dirsOf } from '../../../src/cli/dirs.ts'
import { localPorts } from '../../../src/cli/service/local-ports.ts'
import { recordServing, servingFolder } from '../../../src/cli/service/running.ts'
import { newFolder } from '../../support/folders.ts'
import { hostWith } from '../../support/host.ts'

test.each([
  ['the one that vatom serve runs', 'http://127.0.0.1:4999', ['4999']],
  ['another one on this machine', 'http://127.0.0.1:5000', []],
  ['one on another machine', 'https://vatoms.example.com', undefined],
])('the ports at which assets answer are known for a service that is %s', async (_, baseUrl, ports) => {
  const home = newFolder()
  const dirs = dirsOf({ env: {}, home, cwd: home })
  recordServing({ baseUrl: 'http://127.0.0.1:4999', appId: 'local' }, dirs)
  const target = { kind: 'network', name: 'a', baseUrl, appId: 'a', publisher: undefined, current: false } as const
  const chosen = async () => ({ ...target, environmentTokens: false })
  expect(await localPorts({ target: chosen, host: hostWith({ env: {} }), dirs })).toEqual(ports)
})

test('a service at port 80 is recorded under it, beside others', () => {
  const home = newFolder()
  const dirs = dirsOf({ env: {}, home, cwd: home })
  const urls = ['http://127.0.0.1', 'http://127.0.0.1:81']
  for (const baseUrl of urls) recordServing({ baseUrl, appId: 'local' }, dirs)
  expect(readdirSync(servingFolder(dirs)).sort()).toEqual(['80.json', '81.json'])
})
