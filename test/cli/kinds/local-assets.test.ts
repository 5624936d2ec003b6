import { describe, expect, test } from 'vitest'
import { dirsOf } from '../../../src/cli/dirs.ts'
import { recordServing } from '../../../src/cli/service/running.ts'
import { published } from '../../fixtures/catalog.ts'
import { coupon, face, template } from '../../fixtures/yaml.ts'
import { transports } from '../../support/desks.ts'
import { lossy } from '../../support/lossy.ts'
import { publisher } from '../../support/vatom.ts'

const warning = 'warning[private-address]: only this machine or its network can reach http://127.0.0.1:'

/** A desk with a catalog whose picture is an asset of the local service, by the address that the upload printed. */
async function withAsset(transport: (typeof transports)[number]) {
  const desk = await publisher({ transport })
  const { out } = await desk.vatom('asset', 'upload', '--quiet', desk.file('card.svg', '<svg/>'))
  const url = out.trim()
  const withUrl = (text: string) => text.replace('https://example.com/card.png', url)
  desk.file('shop/vatom.yaml', 'catalog: shop\n')
  desk.file('shop/coupon.yaml', withUrl(template()))
  desk.file('shop/face.yaml', face())
  return { ...desk, url, withUrl }
}

describe.each(transports)('on the %s transport', (transport) => {
  test('the address that asset upload printed is right for the same local service, until it is published elsewhere', async () => {
    const { file, run, vatom, withUrl } = await withAsset(transport)
    const quiet = expect.not.stringContaining('private-address')
    for (const words of [['validate'], ['plan'], ['apply', '--yes']])
      expect(await run([...words, 'shop'], { build: 'a' })).toMatchObject({ code: 0, err: quiet })
    const draft = file('draft.yaml', withUrl(template('$publisher::Tea::v1')))
    expect(await vatom('template', 'create', draft)).toMatchObject({ code: 0, err: quiet })
    const { code, err } = await vatom('template', 'publish', coupon, '--confirm', coupon)
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('can reach') })
  })

  test('flags may have it, too', async () => {
    const { url, vatom } = await withAsset(transport)
    await vatom('apply', 'shop', '--yes')
    const flags = ['--display-url', 'https://faces.example.com/coupon', '--package-url', url, '--view-mode', 'card']
    const { code, err } = await vatom('face', 'register', '--template', coupon, ...flags)
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('can reach') })
    const far = ['--package-url', 'http://10.0.0.1/coupon.zip', '--view-mode', 'engaged']
    expect((await vatom('face', 'register', '--template', coupon, ...flags, ...far)).err).toContain('can reach')
  })

  test('what else is on this machine is warned of', async () => {
    const { file, url, vatom } = await withAsset(transport)
    const other = new URL('/card.png', url).href
    file('shop/coupon.yaml', template().replace('https://example.com/card.png', other))
    for (const command of ['validate', 'plan']) expect((await vatom(command, 'shop')).err).toContain(warning)
  })
})

test('it is warned of for a service elsewhere, which does not get it without --accept-addresses', async () => {
  const desk = await withAsset('network')
  const { env } = await lossy(desk.service, () => 'answered')
  const far = { ...env, VATOM_BASE_URL: env.VATOM_BASE_URL.replace('127.0.0.1', '0.0.0.0'), VATOM_INSECURE: '1' }
  expect((await desk.run(['validate', 'shop'], { build: 'a' })).err).not.toContain('private-address')
  for (const words of [['validate'], ['plan']])
    expect((await desk.run([...words, 'shop'], { env: far, build: 'a' })).err).toContain(warning)
  desk.file('shop/coupon.yaml', published(desk.withUrl(template())))
  const refused = await desk.run(['apply', 'shop', '--yes', '--publish'], { env: far })
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--accept-addresses') })
})

test('it is warned of in a pipeline that chose no service', async () => {
  const desk = await withAsset('local')
  const inPipeline = async (env: Record<string, string>) =>
    (await desk.run(['validate', 'shop'], { env: { CI: 'true', ...env } })).err
  expect(await inPipeline({})).toContain(warning)
  expect(await inPipeline({ VATOM_CONTEXT: 'missing', VATOM_PUBLISHER: 'local.vatom' })).toContain(warning)
  expect(await inPipeline({ VATOM_CONTEXT: 'local' })).not.toContain('private-address')
})

test('it is warned of where vatom serve runs at another port, until that is the one of the address', async () => {
  const { file, home, run, vatom } = await withAsset('local')
  const dirs = dirsOf({ env: {}, home, cwd: home })
  const elsewhere = recordServing({ baseUrl: 'http://127.0.0.1:4999', appId: 'local' }, dirs)
  for (const words of [['validate'], ['plan']]) {
    const { err } = await run([...words, 'shop', '--no-color'], { build: 'a', columns: 400 })
    expect(err).toContain(' answers while vatom serve runs at port 4100, and it runs at port 4999\n')
    expect(err).toContain('start it there: vatom serve --port 4100; or write the address that vatom asset list prints')
  }
  const uploaded = await vatom('asset', 'upload', file('more.svg', '<svg/>'))
  const note = 'the addresses answer while vatom serve runs at port 4999\n'
  expect(uploaded.err).toContain(note)
  expect((await vatom('asset', 'list')).err).toContain(note)
  recordServing({ baseUrl: 'http://localhost:4100', appId: 'local' }, dirs)
  expect((await run(['validate', 'shop'], { build: 'a' })).err).not.toContain('private-address')
  elsewhere()
})

test('the port of an address that need not say it is said, and known', async () => {
  const { file, home, run, vatom } = await withAsset('local')
  const dirs = dirsOf({ env: {}, home, cwd: home })
  recordServing({ baseUrl: 'http://127.0.0.1', appId: 'local' }, dirs)
  const uploaded = await vatom('asset', 'upload', file('more.svg', '<svg/>'))
  expect(uploaded.err).toContain('the addresses answer while vatom serve runs at port 80\n')
  file('shop/coupon.yaml', template().replace('https://example.com/card.png', uploaded.out.trim().replace(':4100', '')))
  expect((await run(['validate', 'shop'], { build: 'a' })).err).not.toContain('private-address')
})
