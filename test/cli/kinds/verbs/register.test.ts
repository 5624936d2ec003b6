import { describe, expect, test } from 'vitest'
import { nativeConstraints } from '../../../fixtures/bodies.ts'
import { face, red, template, variation } from '../../../fixtures/yaml.ts'
import { transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('face register takes files', async () => {
    const { file, json } = await publisher({ transport })
    file('coupon.yaml', template())
    file('faces.yaml', `${face()}---\n${face('$publisher::Coupon::v1', 'card')}`)
    await json('template', 'create', 'coupon.yaml')
    expect(await json('face', 'register', 'faces.yaml')).toMatchObject({ summary: { total: 2, ok: 2, failed: 0 } })
  })

  test('face register takes flags, with defaults for the rest', async () => {
    const { file, json } = await publisher({ transport })
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    const flags = [
      '--template',
      '$publisher::Coupon::v1',
      '--display-url',
      'native://image',
      '--view-mode',
      'icon',
      '--resources',
      'CardImage',
    ]
    expect(await json('face', 'register', ...flags)).toMatchObject({
      results: [{ file: null, kind: 'face', status: 'created' }],
    })
    file('red.yaml', variation())
    await json('variation', 'create', 'red.yaml')
    await json('emit', red)
    expect(await json('discover')).toMatchObject({
      faces: [
        {
          properties: {
            display_url: 'native://image',
            package_url: 'native://image',
            constraints: nativeConstraints,
            resources: ['CardImage'],
          },
        },
      ],
    })
  })

  test('what flags register and is there already is changed by the command of the hint', async () => {
    const { file, json, vatom } = await publisher({ transport })
    await json('template', 'create', file('coupon.yaml', template()))
    await json('face', 'register', file('face.yaml', face()))
    const [{ id }] = (await json('face', 'list', name)) as [{ id: string }]
    const transfer = `${name}::Action::Transfer`
    await json('action', 'register', '--name', transfer, '--reactor', 'blockv://v1/Transfer')
    for (const [words, refusal, command] of [
      [
        ['face', 'register', '--template', name, '--view-mode', 'icon', '--display-url', 'https://a.b/c', '--gps'],
        `error[name_taken]: the face ${id} is for the same viewers`,
        ['face', 'update', id, '--display-url', 'https://a.b/c', '--gps'],
      ],
      [
        ['action', 'register', '--name', transfer, '--reactor', 'blockv://v1/Drop', '--no-wait', '--timeout', '5'],
        'error[name_taken]: --name: ',
        ['action', 'update', transfer, '--reactor', 'blockv://v1/Drop', '--no-wait', '--timeout', '5'],
      ],
    ] as const) {
      const { code, err } = await vatom(...words)
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(refusal) })
      expect(err).toContain(`hint: change it instead: vatom ${command.join(' ')}\n`)
      expect(await vatom(...command)).toMatchObject({ code: 0, out: expect.stringContaining('Updated') })
    }
  })

  test('face register of an unknown template or resource is refused, exit 1', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('icon.yaml', face())
    expect(await vatom('face', 'register', 'icon.yaml')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(name),
    })
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    file('icon.yaml', face().replace('[CardImage]', '[Typo]'))
    expect(await vatom('face', 'register', 'icon.yaml')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Typo'),
    })
  })
})
