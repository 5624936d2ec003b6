import { describe, expect, test } from 'vitest'
import { template } from '../../../fixtures/yaml.ts'
import { draftedTemplate, facing, transports, watchedDesk } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'
const patch = `PATCH /v1/templates/${encodeURIComponent(name)}`
const mainnet = (serial: number) =>
  `eth:\n  network: mainnet\n  fields:\n    serial: { type: uint, value: ${serial} }\n    rare: { type: bool, value: true }\n`

describe.each(transports)('on the %s transport', (transport) => {
  const drafted = (more = '') => draftedTemplate(transport, more)
  const published = async () => {
    const desk = await drafted()
    await desk.json('template', 'publish', name, '--confirm', name)
    desk.changes()
    return desk
  }

  describe('template update', () => {
    test('sends what differs, and says what that was', async () => {
      const { file, json, changes } = await drafted('public: true\n')
      file('coupon.yaml', template(undefined, 'public: true\n').replace('title: Coupon', 'title: Voucher'))
      expect(await json('template', 'update', 'coupon.yaml')).toEqual({
        results: [
          {
            file: 'coupon.yaml',
            kind: 'template',
            name,
            status: 'updated',
            message: expect.stringMatching(/: vatom\.vAtom::vAtomType\.title$/),
            problems: [],
          },
        ],
        summary: { total: 1, ok: 1, failed: 0 },
      })
      expect(changes()).toEqual([patch])
      expect(await json('template', 'get', name)).toMatchObject({
        public: true,
        properties: { unpublished: true, template: { 'vAtom::vAtomType': { title: 'Voucher' } } },
      })
    })

    test('--dry-run shows what each field has and would have', async () => {
      const { file, vatom, json, changes } = await drafted('public: true\n')
      file('coupon.yaml', template().replace('title: Coupon', 'title: Voucher'))
      const update = ['template', 'update', 'coupon.yaml', '--dry-run']
      const { code, out } = await vatom(...update)
      expect(code).toBe(0)
      expect(out).toMatch(
        /^Would update template \S+ on .*\n {6}public: true -> \S+\n {6}\S+\.title: "Coupon" -> "Voucher"\n$/,
      )
      const title = { path: 'vatom.vAtom::vAtomType.title', before: 'Coupon', after: 'Voucher' }
      expect(await json(...update)).toMatchObject({ results: [{ would: 'updated', changes: [{}, title] }] })
      expect(changes()).toEqual([])
    })

    test('sends nothing where the record is as the document says', async () => {
      const { vatom, json, changes } = await drafted()
      expect(await json('template', 'update', 'coupon.yaml')).toMatchObject({
        results: [{ status: 'unchanged' }],
        summary: { total: 1, ok: 1, failed: 0 },
      })
      expect(await vatom('template', 'update', 'coupon.yaml')).toMatchObject({
        code: 0,
        out: expect.stringContaining(`Unchanged template ${name} on `),
      })
      expect(changes()).toEqual([])
    })

    test('takes back what the document no longer says', async () => {
      const { file, json } = await drafted(`public: true\ncloneable: true\n${mainnet(7)}`)
      file('coupon.yaml', template())
      expect(await json('template', 'update', 'coupon.yaml')).toMatchObject({ results: [{ status: 'updated' }] })
      const record = await json('template', 'get', name)
      expect(record).toMatchObject({ public: false, properties: { cloneable: false } })
      expect(record).not.toHaveProperty('properties.eth')
    })

    test('takes standard input', async () => {
      const { run } = await drafted()
      const stdin = template().replace('title: Coupon', 'title: Voucher')
      expect(await run(['template', 'update', '-'], { stdin })).toMatchObject({ code: 0 })
    })

    test('publishes nothing, whatever the document says, and tells how', async () => {
      const { file, vatom, json } = await drafted()
      const said = template().replace('unpublished: true', 'unpublished: false')
      file('coupon.yaml', said.replace('title: Coupon', 'title: Voucher'))
      for (const word of ['Updated', 'Unchanged'])
        expect(await vatom('template', 'update', 'coupon.yaml')).toMatchObject({
          code: 0,
          out: expect.stringContaining(word),
          err: expect.stringContaining(`stays a draft: vatom template publish ${name}\n`),
        })
      expect(await json('template', 'get', name)).toMatchObject({ properties: { unpublished: true } })
    })

    test('leaves a published record alone that is as the document says, a draft by its words or not', async () => {
      const { file, json, changes } = await published()
      for (const words of ['unpublished: true', 'unpublished: false']) {
        file('coupon.yaml', template().replace('unpublished: true', words))
        expect(await json('template', 'update', 'coupon.yaml')).toMatchObject({ results: [{ status: 'unchanged' }] })
      }
      expect(changes()).toEqual([])
    })

    test('refuses to change what is published, and names the places', async () => {
      const { file, run, json, changes } = await published()
      file('coupon.yaml', template().replace('title: Coupon', 'title: Voucher').replace('blue', 'green'))
      const { code, out, err } = await run(['template', 'update', 'coupon.yaml', '--json'])
      expect(code).toBe(1)
      const message = expect.stringMatching(
        /is published, which is final.* vatom\.vAtom::vAtomType\.title, vatom\.private\.color$/,
      )
      expect(JSON.parse(out)).toMatchObject({
        results: [{ status: 'refused', message }],
        error: { code: 'published', message },
      })
      expect(err).toContain('final')
      expect(changes()).toEqual([])
      expect(await json('template', 'get', name)).toMatchObject({
        properties: { template: { 'vAtom::vAtomType': { title: 'Coupon' } } },
      })
    })

    test('of some that fail does the others, and exits 6', async () => {
      const { file, run } = await drafted()
      file('coupon.yaml', template().replace('title: Coupon', 'title: Voucher'))
      file('other.yaml', template('$publisher::Other::v1'))
      const { code, out, err } = await run(['template', 'update', 'other.yaml', 'coupon.yaml', '--json'])
      expect(code).toBe(6)
      expect(JSON.parse(out)).toMatchObject({
        results: [
          { file: 'other.yaml', status: 'refused' },
          { file: 'coupon.yaml', status: 'updated' },
        ],
        summary: { total: 2, ok: 1, failed: 1 },
      })
      expect(err).toContain('vatom template create other.yaml')
    })

    test('of a record that is not there says how to create it: exit 1', async () => {
      const { file, vatom, run } = await watchedDesk(transport)
      file('coupon.yaml', template())
      expect(await run(['template', 'update', '-'], { stdin: template() })).toMatchObject({
        code: 1,
        err: expect.stringMatching(/vatom template create -\n/),
      })
      expect(await vatom('template', 'update', 'coupon.yaml')).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('vatom template create coupon.yaml'),
      })
    })

    test('wants charges accepted for what is written to mainnet, and only for that', async () => {
      const { file, vatom, changes } = await drafted(mainnet(7))
      file('coupon.yaml', template(undefined, mainnet(7)).replace('title: Coupon', 'title: Voucher'))
      expect(await vatom('template', 'update', 'coupon.yaml')).toMatchObject({ code: 0 })
      changes()
      file('coupon.yaml', template(undefined, mainnet(8)))
      const refused = await vatom('template', 'update', 'coupon.yaml')
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('1 chain write ') })
      expect(refused.err).toContain('--accept-charges')
      expect(changes()).toEqual([])
      expect(await vatom('template', 'update', 'coupon.yaml', '--accept-charges')).toMatchObject({ code: 0 })
    })

    test('sends nothing where a document is invalid, or one name is there twice: exit 3', async () => {
      const { file, vatom, changes } = await drafted()
      file('bad.yaml', template().replace('title:', 'titel:'))
      expect(await vatom('template', 'update', 'bad.yaml')).toMatchObject({ code: 3, out: '' })
      file('twice.yaml', `${template()}---\n${template()}`)
      expect(await vatom('template', 'update', 'twice.yaml')).toMatchObject({
        code: 3,
        err: expect.stringContaining('a second template named'),
      })
      expect(changes()).toEqual([])
    })

    test('is interrupted before anything is sent: exit 130', async () => {
      const { file, run, changes } = await drafted()
      file('coupon.yaml', template().replace('title: Coupon', 'title: Voucher'))
      const run130 = await run(['template', 'update', 'coupon.yaml'], { signal: AbortSignal.abort() })
      expect(run130).toMatchObject({ code: 130 })
      expect(changes()).toEqual([])
    })

    test('--format github marks the document that was refused', async () => {
      const { file, vatom } = await published()
      file('coupon.yaml', template().replace('title: Coupon', 'title: Voucher'))
      expect(await vatom('template', 'update', 'coupon.yaml', '--format', 'github')).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^::error file=coupon\.yaml,line=1,.*title=published::/),
      })
    })
  })
})

test('template update asks no further once the service does not answer: exit 5', async () => {
  const own = await publisher({ service: { publishers: ['acme.com'] } })
  const headers = { 'app-id': own.service.appId, authorization: `Bearer ${own.service.localToken()}` }
  const profile = await own.service.inject({ method: 'GET', path: '/v1/user', headers })
  const asked = new Set<string>()
  const { run, file, env } = await facing(({ url = '' }, response) => {
    if (url === '/v1/user') return response.end(profile.body)
    asked.add(url)
    return response.writeHead(503).end('{"error":9016,"message":"busy"}')
  })
  file('both.yaml', `${template()}---\n${template('$publisher::Other::v1')}`)
  const { code, out } = await run(['template', 'update', 'both.yaml', '--json'], { env })
  expect(code).toBe(5)
  expect(JSON.parse(out)).toMatchObject({ results: [{ status: 'failed' }, { status: 'not_sent' }] })
  expect([...asked]).toEqual(['/v1/templates/acme.com%3A%3ACoupon%3A%3Av1'])
})
