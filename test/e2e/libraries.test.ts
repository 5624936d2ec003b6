import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ended, root } from '../support/binary.ts'
import { projectWith } from '../support/installed.ts'

const suite = `
test('a user has a profile, and the journal the request', async () => {
  const service = await startService({ seed: 1 })
  try {
    const ann = await service.createUser({ first_name: 'Ann' })
    const client = connect({ baseUrl: service.baseUrl, refreshToken: ann.refreshToken })
    assert.equal((await client.getProfile({})).properties.first_name, 'Ann')
    assert.equal(service.journal.count({ operation: 'getProfile', user: ann }), 1)
    await assert.rejects(ann.client.getTemplate({ name: 'none' }), ServiceError)
    await service.reset()
    assert.equal(service.journal.count(), 0)
  } finally {
    await service.close()
  }
})
test('both libraries have the same classes', async () => {
  for (const [name, exported] of Object.entries(client)) assert.equal(exported, testing[name], name)
  const refused = (field) => (error) => error instanceof field
  const service = await startService()
  try {
    await assert.rejects(service.createUser({ activated: 1 }), refused(client.ServiceError))
    await assert.rejects(startService({ publisher: 'No Domain' }), refused(testing.ServiceFailure))
    await assert.rejects(connect({ baseUrl: 'http://127.0.0.1:1' }).getAppVersion({}), refused(client.UnreachableError))
    await assert.rejects(connect({ baseUrl: service.baseUrl }).getProfile({}), refused(client.SessionError))
  } finally {
    await service.close()
  }
})
`
const asModule = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as client from 'vatom/client'
import * as testing from 'vatom/testing'
const { connect, ServiceError } = client
const { startService } = testing
${suite}`
const asScript = `const assert = require('node:assert/strict')
const { test } = require('node:test')
const client = require('vatom/client')
const { connect, ServiceError } = client
const testing = require('vatom/testing')
const { startService } = testing
${suite}`

describe('of an installed package', () => {
  test.each([
    ['suite.test.mjs', asModule],
    ['suite.test.cjs', asScript],
  ])('%s passes in the test runner of Node', async (name, text) => {
    const folder = projectWith({ [name]: text })
    const run = await ended(spawn(process.execPath, ['--test', name], { cwd: folder }))
    expect(run).toMatchObject({ code: 0, out: expect.stringMatching(/pass 2\n/) })
  })

  test('messages of the zod of an app stay as they are', async () => {
    const folder = projectWith({
      'a.mjs': `
        import { z } from ${JSON.stringify(join(root, 'node_modules/zod/index.js'))}
        import { startService } from 'vatom/testing'
        const message = () => z.number().max(3).safeParse(4).error.issues[0].message
        const before = message()
        await (await startService()).close()
        process.exitCode = before === message() ? 0 : 1`,
    })
    expect(await ended(spawn(process.execPath, ['a.mjs'], { cwd: folder }))).toMatchObject({ code: 0, err: '' })
  })

  test('no other file of the package can be imported', async () => {
    const folder = projectWith({ 'a.mjs': "import 'vatom/bin/launch.js'" })
    const run = await ended(spawn(process.execPath, ['a.mjs'], { cwd: folder }))
    expect(run).toMatchObject({ code: 1, err: expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED') })
  })

  test('the client for browsers imports nothing, and nothing of Node', () => {
    const text = readFileSync(join(root, 'dist/library/client.browser.mjs'), 'utf8')
    expect(text).not.toMatch(/\bimport\s*[({"'*]|\bfrom\s*["']|\brequire\(|\bprocess\.|node:|\bBuffer\b/)
  })
})

const typed = `
import { connect, type Payload, type Schema, ServiceError, type Client } from 'vatom/client'
import { ServiceFailure, startService, type TestService } from 'vatom/testing'

export async function use(): Promise<string[]> {
  await using service: TestService = await startService({ now: new Date(), users: [{ first_name: 'Ann' }] })
  const client: Client = connect({ baseUrl: service.baseUrl })
  const profile: Payload<'getProfile'> = await client.getProfile({})
  const template: Schema.Template = { template: 'a.example::Tea::v1', vatom: { 'vAtom::vAtomType': { root_type: 'vAtom::vAtomType' } } }
  await client.createTemplate({ body: template })
  const name: string | undefined = profile.properties.first_name
  try {
    return await service.emit('Tea::v1::Green', { num: 2, to: service.users[0] ?? profile.id })
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return [error.message, String(name)]
    if (error instanceof ServiceFailure && error.code === 'port_taken') return [error.hint]
    throw error
  }
}
// @ts-expect-error no such operation
export const none = (client: Client) => client.makeTea({})
// @ts-expect-error a template has a name
export const nameless = (client: Client) => client.createTemplate({ body: { vatom: {} } })
// @ts-expect-error a misspelled option
export const misspelled = () => startService({ sede: 1 })
`

const settings = (compilerOptions: object) =>
  JSON.stringify({
    compilerOptions: {
      ...{ target: 'es2022', lib: ['es2023'], strict: true, noEmit: true, skipLibCheck: false, types: [] },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true },
      ...compilerOptions,
    },
    include: ['use.*'],
  })

describe('the types of an installed package need no other package', () => {
  test.each([
    ['use.mts', { module: 'nodenext' }],
    ['use.cts', { module: 'nodenext', verbatimModuleSyntax: false }],
    ['use.ts', { module: 'preserve', moduleResolution: 'bundler', lib: ['es2023', 'dom'] }],
  ])('in %s with %j', (name, options) => {
    const folder = projectWith({ [name]: typed, 'tsconfig.json': settings(options) })
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' })
  })
})
