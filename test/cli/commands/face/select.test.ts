import { describe, expect, test } from 'vitest'
import { face, template } from '../../../fixtures/yaml.ts'
import { transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const name = '$publisher::Coupon::v1'
const ios = face(name, 'icon').replace('generic', 'ios').replaceAll('native://image', 'https://acme.example/face')

describe('face select', () => {
  test('of files: what is picked, and why', async () => {
    const { vatom, file } = await publisher()
    file('f.yaml', `${face()}---\n${ios}---\n${face(name, 'card')}`)
    const { code, out, err } = await vatom('face', 'select', 'f.yaml', '--platform', 'ios', '--view-mode', 'engaged')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n')).toEqual([
      'local.vatom::Coupon::v1 as engaged on ios: native://image',
      'No face is for engaged, so its icon is shown.',
      'f.yaml:1\tpicked: generic, native',
      'f.yaml:14\tmade for ios, web, but an earlier face is as good',
      'f.yaml:27\tfor card',
      '',
    ])
    const blank = await vatom('face', 'select', 'f.yaml', '--platform', 'web', '--view-mode', 'fullscreen')
    expect(blank.out).toMatch(/^local.vatom::Coupon::v1 as fullscreen on web: no face, so the viewer shows nothing\n/)
  })

  test('a face for engaged that only some apps include is told, and how to select among those', async () => {
    const { vatom, file } = await publisher()
    const own = face(name, 'engaged').replaceAll('native://image', 'native://generic-3d')
    file('f.yaml', `${face()}---\n${own}`)
    const select = (...more: string[]) =>
      vatom('face', 'select', 'f.yaml', '--platform', 'ios', '--view-mode', 'engaged', ...more)
    expect((await select()).out.split('\n')).toEqual([
      'local.vatom::Coupon::v1 as engaged on ios: native://image',
      'The viewer can show no face for engaged, so its icon is shown.',
      'If your app includes that face: --installed native://generic-3d',
      'f.yaml:1\tpicked: generic, native',
      'f.yaml:14\tthe viewer does not include native://generic-3d',
      '',
    ])
    const { out } = await select('--installed', 'native://generic-3d')
    expect(out).toMatch(/^local.vatom::Coupon::v1 as engaged on ios: native:\/\/generic-3d\n/)
    expect(out).not.toMatch(/so its icon|--installed/)
  })

  test('for every viewer, where none is told', async () => {
    const { vatom, json, file } = await publisher()
    file('f.yaml', face())
    const { out } = await vatom('face', 'select', 'f.yaml')
    expect(out.trim().split('\n')).toHaveLength(12)
    expect(out).toContain('engaged\tandroid\ticon\tnative://image\tf.yaml:1\tlocal.vatom::Coupon::v1\n')
    expect(out).toContain('card\tweb\tblank\t\t\tlocal.vatom::Coupon::v1\n')
    expect(await json('face', 'select', 'f.yaml', '--view-mode', 'card')).toMatchObject(
      ['web', 'ios', 'android'].map((platform) => ({
        platform,
        view_mode: 'card',
        face: null,
        considered: [{ why: 'for icon' }],
      })),
    )
  })

  test('what a viewer brings along counts', async () => {
    const { json, file } = await publisher()
    const model = ios.replaceAll('https://acme.example/face', 'native://generic-3d')
    file('f.yaml', `${face()}---\n${model}`)
    const picked = async (...more: string[]) => {
      const [one] = (await json('face', 'select', 'f.yaml', '--platform', 'ios', '--view-mode', 'icon', ...more)) as {
        face: { display_url: string } | null
      }[]
      return one?.face?.display_url
    }
    expect(await picked()).toBe('native://image')
    expect(await picked('--installed', 'native://generic-3d')).toBe('native://generic-3d')
    file('f.yaml', ios)
    expect(await picked()).toBe('https://acme.example/face')
    expect(await picked('--no-web-faces')).toBe(undefined)
  })

  test.each(transports)('of what a service has: %s', async (transport) => {
    const { vatom, json, file } = await publisher({ transport })
    file('t.yaml', template())
    file('f.yaml', face())
    await vatom('template', 'create', 't.yaml')
    await vatom('face', 'register', 'f.yaml')
    const found = await json('face', 'select', name, '--platform', 'android', '--view-mode', 'icon')
    expect(found).toMatchObject([
      { template: 'local.vatom::Coupon::v1', shown_as: 'icon', face: { display_url: 'native://image' } },
    ])
    expect(await vatom('face', 'select', `${name}x`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('vatom template list'),
    })
  })

  test('what stands in the way', async () => {
    const { vatom, file } = await publisher()
    file('t.yaml', template())
    file('bad.yaml', face().replace('quality: high', 'quality: best'))
    expect(await vatom('face', 'select', 't.yaml')).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('no face'),
    })
    expect(await vatom('face', 'select', 'bad.yaml')).toMatchObject({
      code: 3,
      err: expect.stringContaining('error[value]'),
    })
    expect(await vatom('face', 'select', 't.yaml', '--platform', 'generic')).toMatchObject({ code: 2 })
  })
})
