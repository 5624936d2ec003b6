import { describe, expect, test } from 'vitest'
import { at } from '../../../../src/contract/schema/path.ts'
import * as bodies from '../../../fixtures/bodies.ts'
import { coupon, face, template } from '../../../fixtures/yaml.ts'
import { registerAnyway, registered, rival, transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const nobody = '00000000-0000-4000-8000-000000000000'

describe.each(transports)('on the %s transport', (transport) => {
  /** A desk with a template and faces of it; `ids` are theirs. */
  async function withFaces(documents = face()) {
    const desk = await registered(transport, 'face', 'faces.yaml', documents)
    const listed = await desk.json('face', 'list', coupon)
    const ids = [0, 1].map((index) => String(at(listed, index, 'id')))
    return { ...desk, ids, id: ids[0] ?? '' }
  }

  describe('face get', () => {
    test('shows a face by the beginning of its id, as the document that update reads', async () => {
      const { vatom, json, file, id, changes } = await withFaces()
      const { code, out } = await vatom('face', 'get', id.slice(0, 8))
      expect(code).toBe(0)
      file('face.yaml', out)
      expect((await vatom('face', 'update', 'face.yaml')).out).toMatch(/^Unchanged face /)
      expect(await json('face', 'show', id)).toEqual(Object(await json('face', 'list', coupon))[0])
      expect(changes()).toEqual([])
    })

    test('of an id that no face of the publisher has leads to the list', async () => {
      const { vatom } = await withFaces()
      expect(await vatom('face', 'get', nobody)).toEqual({
        code: 1,
        out: '',
        err: `error: No face of yours has the id ${nobody}\nhint: list what exists: vatom face list\n`,
      })
    })
  })

  describe('face list', () => {
    test('shows the faces of a template, in order of registration', async () => {
      const { vatom, json, ids } = await withFaces(`${face()}---\n${face(undefined, 'card')}`)
      const [icon, card] = ids
      expect(await vatom('face', 'list', '$publisher::Coupon::v1')).toEqual({
        code: 0,
        out: `${icon}\ticon\tgeneric\thigh\tnative://image\tCardImage\n${card}\tcard\tgeneric\thigh\tnative://image\tCardImage\n`,
        err: '',
      })
      expect(await json('face', 'list', '--template', coupon)).toMatchObject([{ id: icon }, { id: card }])
    })

    test('has a head on a terminal, within its width', async () => {
      const { run } = await withFaces()
      const { out } = await run(['face', 'list', coupon, '--no-color'], { tty: true, columns: 80 })
      const lines = out.trimEnd().split('\n')
      expect(lines[0]).toMatch(/^ID +VIEW +PLATFORM +QUALITY +…?.* +RESOURCES$/)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    })

    test('says so where there are none, and where there is no such template', async () => {
      const { vatom, file, json } = await withFaces()
      file('other.yaml', template('$publisher::Other::v1'))
      await json('template', 'create', 'other.yaml')
      expect(await vatom('face', 'list', 'local.vatom::Other::v1')).toEqual({ code: 0, out: '', err: 'No faces.\n' })
      expect(await vatom('face', 'list', 'local.vatom::No::v1')).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('vatom template list'),
      })
    })

    test('takes one template: exit 2 for two', async () => {
      const { vatom } = await withFaces()
      expect(await vatom('face', 'list', coupon, '--template', 'x')).toMatchObject({ code: 2 })
      expect(await vatom('face', 'list', coupon, '--template', coupon)).toMatchObject({ code: 0 })
    })
  })

  describe('face update', () => {
    const properties = async ({ json }: Pick<Awaited<ReturnType<typeof withFaces>>, 'json'>) =>
      at(await json('face', 'list', coupon), 0, 'properties')

    test('names the face by what it is of and for whom, as register does', async () => {
      const { vatom, id } = await withFaces()
      const changed = `face ${coupon} icon, generic, low, native://image (${id}) on `
      const words = ['face', 'update', id, '--quality', 'low']
      expect((await vatom(...words, '--dry-run')).out.startsWith(`Would update ${changed}`)).toBe(true)
      expect((await vatom(...words)).out.startsWith(`Updated ${changed}`)).toBe(true)
      const { out } = await vatom(
        ...['face', 'register', '--template', coupon, '--view-mode', 'card', '--display-url', 'native://image'],
      )
      expect(out).toMatch(
        /^Face [-\da-f]{36} registered for template \S+ on .*: card, generic, high, native:\/\/image\n$/,
      )
    })

    test('reads the faces once for the beginning of an id and for the message', async () => {
      const lines: string[] = []
      const { vatom, run } = await publisher({ transport, service: { log: (line) => lines.push(line) } })
      await run(['apply', '-', '--yes'], { stdin: `${template()}---\n${face()}` })
      const [id = ''] = (await vatom('face', 'list', coupon)).out.split('\t')
      lines.splice(0)
      expect(await vatom('face', 'update', id.slice(0, 8), '--quality', 'low')).toMatchObject({
        code: 0,
        out: expect.stringContaining(`icon, generic, low, native://image (${id})`),
      })
      expect(lines.filter((line) => /^GET \S+\/templates? /.test(line))).toHaveLength(1)
      expect(lines.filter((line) => /^GET \S+\/faces? /.test(line))).toHaveLength(1)
    })

    test('changes what flags give, and nothing else', async () => {
      const { json, id, changes } = await withFaces(face().replace('gps: false', 'gps: true'))
      const before = await properties({ json })
      changes()
      expect(await json('face', 'update', id, '--quality', 'low', '--no-gps', '--three-d')).toEqual({
        results: [{ file: null, kind: 'face', name: id, status: 'updated', message: expect.any(String), problems: [] }],
        summary: { total: 1, ok: 1, failed: 0 },
      })
      expect(changes()).toEqual([`PATCH /v1/publisher/face/${id}`])
      const { constraints, ...rest } = before as { constraints: object }
      expect(await properties({ json })).toEqual({
        ...rest,
        constraints: { ...constraints, quality: 'low', gps: false, three_d: true },
      })
    })

    test('brings the faces of files to what they say, and sends only what differs', async () => {
      const { json, vatom, file, ids, changes } = await withFaces(`${face()}---\n${face(undefined, 'card')}`)
      const icon = face().replace('gps: false', 'gps: true').replace('[CardImage]', '[]')
      file('faces.yaml', `${icon}---\n${face(undefined, 'card')}config: { scale: fit }\n`)
      expect(await json('face', 'update', 'faces.yaml')).toMatchObject({
        results: [
          { file: 'faces.yaml', name: `${coupon} icon, generic, high, native://image`, status: 'updated' },
          {
            name: `${coupon} card, generic, high, native://image`,
            status: 'updated',
            message: expect.stringMatching(/: config\.scale$/),
          },
        ],
        summary: { total: 2, ok: 2, failed: 0 },
      })
      expect(changes()).toEqual(ids.map((id) => `PATCH /v1/publisher/face/${id}`))
      expect(await json('face', 'list', coupon)).toMatchObject([
        { id: ids[0], properties: { resources: [], constraints: { gps: true, view_mode: 'icon' } } },
        { id: ids[1], properties: { resources: ['CardImage'], config: { scale: 'fit' } } },
      ])
      const { out, code } = await vatom('face', 'update', 'faces.yaml')
      expect(code).toBe(0)
      expect(out.trimEnd().split('\n')).toEqual(
        ids.map((id) => expect.stringMatching(`^Unchanged face .* .${id}. on `)),
      )
      file('faces.yaml', `${face().replace('gps: false', 'gps: true')}---\n${face(undefined, 'card')}`)
      expect(await json('face', 'update', 'faces.yaml')).toMatchObject({
        results: [
          { message: expect.stringMatching(/: resources$/) },
          { message: expect.stringMatching(/: config\.scale$/) },
        ],
      })
      expect(await json('face', 'list', coupon)).toMatchObject([
        { properties: { resources: ['CardImage'], constraints: { gps: true } } },
        { properties: { config: {} } },
      ])
      changes()
      expect(await json('face', 'update', 'faces.yaml')).toMatchObject({
        results: [{ status: 'unchanged' }, { status: 'unchanged' }],
      })
      expect(changes()).toEqual([])
    })

    test('sends the constraints that differ, and no others', async () => {
      const sent: unknown[] = []
      const { run, file, ids, service, json } = await withFaces()
      const inject = service.inject.bind(service)
      service.inject = async (request) => {
        if (request.method === 'PATCH') sent.push(JSON.parse(request.body ?? ''))
        return inject(request)
      }
      file('faces.yaml', face().replace('gps: false', 'gps: true'))
      expect(await run(['--context', 'local', 'face', 'update', 'faces.yaml'])).toMatchObject({ code: 0 })
      expect(sent).toEqual([{ constraints: { gps: true } }])
      expect(await json('face', 'list', coupon)).toMatchObject([{ id: ids[0] }])
    })

    test('of a face that nobody registered says what to do: exit 1', async () => {
      const { vatom, run, file, changes } = await withFaces()
      for (const [key, other] of [
        ['view_mode: icon', 'view_mode: card'],
        ['platform: generic', 'platform: ios'],
        ['quality: high', 'quality: low'],
      ] as const) {
        file('other.yaml', face().replace(key, other))
        expect(await vatom('face', 'update', 'other.yaml')).toMatchObject({
          code: 1,
          out: '',
          err: expect.stringMatching(/There is no face of [\s\S]*hint: .*vatom face register other\.yaml/),
        })
      }
      expect(await run(['face', 'update', '-'], { stdin: face(undefined, 'card') })).toMatchObject({
        code: 1,
        err: expect.stringContaining('vatom face register -'),
      })
      file('other.yaml', face('$publisher::No::v1'))
      expect(await vatom('face', 'update', 'other.yaml')).toMatchObject({
        code: 1,
        err: expect.stringContaining('vatom template list'),
      })
      expect(changes()).toEqual([])
    })

    test('of a face for other viewers than before names the command that makes it one of them', async () => {
      const { vatom, json, file, ids } = await withFaces(`${face()}---\n${face(undefined, 'card')}`)
      file('icon.yaml', face().replace('quality: high', 'quality: medium'))
      const change = `vatom face update ${ids[0]} --quality medium`
      expect(await vatom('face', 'update', 'icon.yaml')).toMatchObject({
        code: 1,
        err: expect.stringContaining(
          `hint: create it first: vatom face register icon.yaml; or change that for icon, generic, high: ${change}\n`,
        ),
      })
      await json(...change.split(' ').slice(1))
      expect(await json('face', 'update', 'icon.yaml')).toMatchObject({ results: [{ status: 'unchanged' }] })
      file('full.yaml', face(undefined, 'fullscreen').replace('quality: high', 'quality: low'))
      expect((await vatom('face', 'update', 'full.yaml')).err).not.toContain('or change')
    })

    test('of a face that was registered twice wants its id: exit 1', async () => {
      const { vatom, json, file, changes, ...desk } = await withFaces()
      await registerAnyway({ vatom, json, file, ...desk }, face())
      const ids = Object(await json('face', 'list', coupon)).map(({ id }: { id: string }) => id)
      changes()
      file('icon.yaml', face().replace('gps: false', 'gps: true'))
      const { code, out, err } = await vatom('face', 'update', 'icon.yaml')
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toContain(ids.join(', '))
      expect(err).toContain('vatom face update ID icon.yaml')
      expect(changes()).toEqual([])
      expect(await json('face', 'update', ids[1] ?? '', 'icon.yaml')).toMatchObject({
        results: [{ status: 'updated' }],
      })
      expect(changes()).toEqual([`PATCH /v1/publisher/face/${ids[1]}`])
    })

    test('of two documents for one face takes none: exit 3', async () => {
      const { vatom, file, changes } = await withFaces()
      file('icon.yaml', face().replace('gps: false', 'gps: true'))
      expect(await vatom('face', 'update', 'icon.yaml', 'faces.yaml')).toMatchObject({
        code: 3,
        err: expect.stringContaining('error[face-twice]: a second face'),
      })
      expect(changes()).toEqual([])
    })

    test('with an id and a file makes another face of it, or tells that nothing differs', async () => {
      const { json, file, id, changes } = await withFaces()
      file('card.yaml', face(undefined, 'card').replace('resources: [CardImage]', 'resources: []'))
      expect(await json('face', 'update', id, 'card.yaml')).toMatchObject({
        results: [{ file: 'card.yaml', status: 'updated', message: expect.stringContaining(id) }],
      })
      expect(await json('face', 'list', coupon)).toMatchObject([
        { id, template: coupon, properties: { constraints: { view_mode: 'card' }, resources: [] } },
      ])
      changes()
      expect(await json('face', 'update', id, 'card.yaml')).toMatchObject({ results: [{ status: 'unchanged' }] })
      expect(changes()).toEqual([])
    })

    test('refuses a file whose template has no face of that id: exit 1', async () => {
      const { vatom, json, file, id, changes } = await withFaces()
      file('other.yaml', template('$publisher::Other::v1'))
      await json('template', 'create', 'other.yaml')
      changes()
      file('face.yaml', face('$publisher::Other::v1'))
      expect(await vatom('face', 'update', id, 'face.yaml')).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining(`local.vatom::Other::v1 has no face ${id}\nhint: `),
      })
      expect(changes()).toEqual([])
    })

    test('says of what is neither an id nor a file that it is none: exit 2', async () => {
      const { vatom, id, changes } = await withFaces()
      for (const args of [['nothing.yaml'], ['x', '--quality', 'low'], [id.slice(1), 'faces.yaml']])
        expect(await vatom('face', 'update', ...args)).toMatchObject({
          code: 2,
          out: '',
          err: expect.stringContaining(`${args[0]} is neither a face's id nor a file`),
        })
      expect(await vatom('face', 'update', '*.yaml')).toMatchObject({ code: 0 })
      expect(await vatom('face', 'update', '--quality', 'low')).toMatchObject({
        code: 2,
        err: expect.stringContaining('No face given'),
      })
      expect(changes()).toEqual([])
    })

    test('with an id takes one face, from a file or from flags: exit 2', async () => {
      const { vatom, file, id, changes } = await withFaces()
      file('two.yaml', `${face()}---\n${face(undefined, 'card')}`)
      file('one.yaml', face())
      for (const args of [
        [],
        ['two.yaml'],
        ['one.yaml', '--quality', 'low'],
        ['--quality', 'best'],
        ['--template', 'x'],
      ])
        expect(await vatom('face', 'update', id, ...args)).toMatchObject({ code: 2, out: '' })
      expect(await vatom('face', 'update', 'one.yaml', '--quality', 'low')).toMatchObject({
        code: 2,
        err: expect.stringContaining('vatom face update ID --quality low'),
      })
      expect(changes()).toEqual([])
    })

    test('names the flag that is not valid: exit 3', async () => {
      const { run, id, changes } = await withFaces()
      const { code, out, err } = await run(['face', 'update', id, '--display-url', 'ftp://x', '--json'])
      expect(code).toBe(3)
      expect(err).toContain('--display-url: must be native://<view> or https://<url>')
      expect(JSON.parse(out)).toMatchObject({
        results: [{ file: null, kind: 'face', name: id, status: 'invalid', problems: [{ path: 'display_url' }] }],
        error: { code: 'invalid_documents' },
      })
      expect(changes()).toEqual([])
    })

    test('of a face that is not there, or with a resource that is not: exit 1', async () => {
      const { vatom, id } = await withFaces()
      const [missing, resource] = [
        await vatom('face', 'update', nobody, '--quality', 'low'),
        await vatom('face', 'update', id, '--resources', 'Typo'),
      ]
      expect(missing).toMatchObject({
        code: 1,
        err: expect.stringContaining('hint: list what exists: vatom face list\n'),
      })
      expect(resource).toMatchObject({ code: 1, err: expect.stringContaining('Typo') })
      expect(resource.err).not.toContain('vatom face list')
    })
  })

  test('face delete wants --yes, takes several, and says which were not there', async () => {
    const { vatom, json, ids, changes } = await withFaces(`${face()}---\n${face(undefined, 'card')}`)
    expect(await vatom('face', 'delete', ...ids)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    expect(changes()).toEqual([])
    const { code, out, err } = await vatom('face', 'delete', ids[0] ?? '', 'x', ids[1] ?? '', '--yes')
    expect({ code, lines: out.trimEnd().split('\n').length }).toEqual({ code: 6, lines: 2 })
    expect(err).toMatch(/error: x: .*\nerror: 1 of 3 were not done\nhint: list what exists: vatom face list\n/)
    expect(await json('face', 'list', coupon)).toEqual([])
    expect(await vatom('face', 'delete', 'x', '--yes')).toMatchObject({ code: 1 })
  })

  test('another publisher’s face is neither changed nor deleted: exit 4', async () => {
    const desk = await withFaces()
    const other = await rival(desk)
    const template = 'rival.example::Coupon::v1'
    await other('POST', '/v1/templates', bodies.template({ template, unpublished: false }))
    await other('POST', '/v1/publisher/face', bodies.face({ template }))
    const [{ id }] = await other('GET', `/v1/publisher/face?template=${encodeURIComponent(template)}`)
    for (const args of [
      ['list', template],
      ['update', id, '--quality', 'low'],
      ['delete', id, '--yes'],
    ])
      expect(await desk.vatom('face', ...args)).toMatchObject({ code: 4, out: '' })
  })

  test('face validate checks without sending, and tells the flags of face register apart', async () => {
    const { vatom, file, changes } = await withFaces()
    file('bad.yaml', face().replace('view_mode: icon', 'view_mode: icn'))
    expect(await vatom('face', 'validate', 'bad.yaml')).toMatchObject({
      code: 3,
      err: expect.stringContaining('did you mean icon?'),
    })
    const flags = ['--template', coupon, '--view-mode', 'icon', '--display-url', 'x']
    expect(await vatom('face', 'register', ...flags)).toMatchObject({
      code: 3,
      err: expect.stringContaining('--display-url: must be'),
    })
    expect(changes()).toEqual([])
  })
})
