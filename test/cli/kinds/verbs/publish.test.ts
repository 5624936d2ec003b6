import { describe, expect, test } from 'vitest'
import { face, template } from '../../../fixtures/yaml.ts'
import { draftedTemplate, facing, transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('template publish wants the name, prints what becomes final, and cannot be repeated', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    expect(await vatom('template', 'publish', name)).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /The template's name, again to confirm it, is missing.*\n.*give it with --confirm NAME\n/,
      ),
    })
    expect(await vatom('template', 'publish', name, '--confirm', 'other')).toMatchObject({ code: 2 })
    expect(await json('template', 'get', name)).toMatchObject({ properties: { unpublished: true } })
    const done = await vatom('template', 'publish', name, '--confirm', name)
    expect(done.err).toMatch(/^context /m)
    expect(done).toMatchObject({ code: 0, err: expect.stringContaining('      title: Coupon\n') })
    const again = await vatom('template', 'publish', name, '--confirm', name)
    expect(again).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error: The template .* is already published\n/),
    })
  })

  describe('template publish', () => {
    const publish = ['template', 'publish', name, '--confirm', name] as const

    test('is not confirmed by --yes, and says by what', async () => {
      const { vatom, changes } = await draftedTemplate(transport)
      const { code, err } = await vatom('template', 'publish', '$publisher::Coupon::v1', '--yes')
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--confirm NAME') })
      expect(err).not.toContain(`--confirm ${name}`)
      expect(changes()).toEqual([])
      expect((await vatom('template', 'publish', '--help')).out).not.toContain('--yes')
    })

    test('names the field of a warning about the template itself', async () => {
      const { file, json, vatom } = await publisher({ transport })
      file('coupon.yaml', template().replace('title: Coupon', 'title: of $publisher'))
      await json('template', 'create', 'coupon.yaml')
      expect((await vatom(...publish, '--dry-run')).err).toContain(
        'warning: vatom.vAtom::vAtomType.title: $publisher is not replaced in this text, but published as it is\n',
      )
    })

    test('says what its faces leave to be wished for', async () => {
      const { file, vatom } = await draftedTemplate(transport)
      file('card.yaml', face(undefined, 'card'))
      await vatom('face', 'register', 'card.yaml')
      expect(await vatom(...publish)).toMatchObject({
        code: 0,
        err: expect.stringMatching(/warning: the template has faces but no icon/),
      })
    })

    test('refuses what would leave a face without its resource, naming the face', async () => {
      const { file, vatom, changes } = await draftedTemplate(transport)
      file('icon.yaml', face())
      await vatom('face', 'register', 'icon.yaml')
      file('coupon.yaml', template().replace('name: CardImage', 'name: OtherImage'))
      await vatom('template', 'update', 'coupon.yaml')
      changes()
      expect(await vatom(...publish)).toMatchObject({
        code: 3,
        err: expect.stringMatching(/face \S+: resources.*CardImage/),
      })
      expect(changes()).toEqual([])
    })
  })
})

test('a stored draft that is not valid is not published', async () => {
  const vatom = { 'vAtom::vAtomType': { root_type: 'vAtom::vAtomType', redeemable: true } }
  const meta = { created_by: '', when_created: '', modified_by: '', when_modified: '', data_type: '' }
  const properties = { publisher_fqdn: 'acme.com', unpublished: true, cloneable: false, template: vatom }
  const payload = { name: 'acme.com::A::v1', public: false, meta, properties }
  const methods: unknown[] = []
  const {
    run,
    env: { VATOM_PUBLISHER: _, ...env },
  } = await facing((request, response) => {
    methods.push(request.method)
    response.end(JSON.stringify({ payload }))
  })
  const publish = ['template', 'publish', payload.name, '--confirm', payload.name]
  expect(await run(publish, { env })).toMatchObject({ code: 3, err: expect.stringContaining('commerce') })
  expect(methods).toEqual(['GET'])
})
