import { expect, test } from 'vitest'
import { WarningList } from '../../../src/contract/api/warnings.ts'
import { action, face, template } from '../../fixtures/yaml.ts'
import { facing, transports } from '../../support/desks.ts'
import { publisher } from '../../support/vatom.ts'

const lost =
  /^warning: face local\.vatom::Coupon::v1 icon, generic, high, native:\/\/image: the template has no resource CardImage$/m
const warned = (err: string) => err.split('\n').filter((line) => line.startsWith('warning: '))

test.each(transports)('what the service warns of reaches the user on the %s transport', async (transport) => {
  const { vatom, run, json, file } = await publisher({ transport })
  file('coupon.yaml', template())
  file('face.yaml', face())
  await json('template', 'create', 'coupon.yaml')
  await json('face', 'register', 'face.yaml')
  file('coupon.yaml', template().replace('name: CardImage', 'name: Картинка'))
  const { code, out, err } = await vatom('template', 'update', 'coupon.yaml', '--quiet')
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Updated template/) })
  expect(err).toMatch(lost)
  file('coupon.yaml', template().replace('name: CardImage', 'name: Other'))
  const under = await run(['template', 'update', 'coupon.yaml', '--json'])
  expect(under.err).toMatch(lost)
  expect(JSON.parse(under.out)).toMatchObject({ results: [{ status: 'updated' }] })
  expect(warned((await vatom('template', 'update', 'coupon.yaml')).err)).toEqual([])
})

test.each(transports)('on the %s transport a finding of the document is not told again', async (transport) => {
  const { vatom, json, file } = await publisher({ transport })
  file('coupon.yaml', template())
  await json('template', 'create', 'coupon.yaml')
  file('sing.yaml', action('Sing'))
  const { code, err } = await vatom('action', 'register', 'sing.yaml')
  expect(code).toBe(0)
  expect(err).toContain('warning[action-reactor]: ')
  expect(warned(err)).toEqual([])
  const name = 'local.vatom::Coupon::v1::Action::Sing'
  const flags = await vatom('action', 'update', '--name', name, '--reactor', 'blockv://v1/Hum')
  expect(flags.err).toContain('warning[action-reactor]: ')
  expect(warned(flags.err)).toEqual([])
})

const user = {
  id: 'u',
  meta: { data_type: 'd', when_created: 't', when_modified: 't' },
  properties: {},
  system_properties: { pub_fqdn: 'acme.com', is_admin: true },
}

/** A service that does everything it is told, and warns as the test says. */
const warning = (...headers: string[]) =>
  facing((request, response) => {
    const reading = request.method === 'GET'
    if (!reading) response.setHeader('vatom-warning', headers.shift() ?? '')
    response.end(JSON.stringify({ request_id: 'r', payload: reading ? user : { success_message: 'Done.' } }))
  })

test('each once, and escaped', async () => {
  const messages = ['no Ж', '100%25 of; all', 'no Ж', 'a\u001B[31mb']
  const { run, file, env } = await warning(
    new WarningList(messages.map((message) => ({ code: 'no-effect', path: '', message }))).header(),
  )
  file('sing.yaml', action('Transfer').replace('$publisher', 'acme.com'))
  const { code, err } = await run(['action', 'register', 'sing.yaml'], { env })
  expect(code).toBe(0)
  expect(warned(err)).toEqual([
    'warning: no Ж',
    'warning: 100%25 of; all',
    expect.stringMatching(/^warning: a.+\[31mb$/),
  ])
  expect(err).not.toContain('\u001B')
})

test('of several documents each with the one it is about', async () => {
  const { run, file, env } = await warning('first', '', 'third')
  const names = ['Transfer', 'Redeem', 'Drop']
  file('all.yaml', names.map((name) => action(name).replace('$publisher', 'acme.com')).join('---\n'))
  const { err } = await run(['action', 'register', 'all.yaml'], { env })
  expect(warned(err)).toEqual([
    'warning: all.yaml: action acme.com::Coupon::v1::Action::Transfer: first',
    'warning: all.yaml: action acme.com::Coupon::v1::Action::Drop: third',
  ])
})

test('of a command that is about no documents, too', async () => {
  const { run, env } = await warning('so be it')
  const stamp = ['--reactor', 'acme.com://stamp', '--url', 'https://acme.example/']
  const { code, err } = await run(['action', 'handler', 'register', ...stamp], { env })
  expect({ code, warned: warned(err) }).toEqual({ code: 0, warned: ['warning: so be it'] })
})

test('nothing that comes with a refusal: nothing was done', async () => {
  const { run, env } = await facing((_, response) => {
    response.setHeader('vatom-warning', 'done all the same')
    response.statusCode = 400
    response.end(JSON.stringify({ request_id: 'r', error: 1, message: 'No.' }))
  })
  const { code, err } = await run(['action', 'handler', 'delete', 'acme.com://stamp', '--yes'], { env })
  expect(code).toBe(1)
  expect(warned(err)).toEqual([])
})
