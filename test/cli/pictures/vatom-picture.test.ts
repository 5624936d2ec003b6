import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { png } from '../../fixtures/files.ts'
import { face, template, variation } from '../../fixtures/yaml.ts'
import { serverOf } from '../../support/servers.ts'
import { publisher } from '../../support/vatom.ts'

test('an image that is small, but large unpacked, is not read', async () => {
  const large = Buffer.concat([png, Buffer.alloc(8_000_000)])
  let body = large
  const { url } = await serverOf((_, response) => {
    const packed = gzipSync(body)
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed)
  })
  const desk = await publisher()
  desk.file('shop/coupon.yaml', template().replace('https://example.com/card.png', `${url}/icon.png`))
  desk.file('shop/coupon.variation.yaml', variation())
  desk.file('shop/coupon.faces.yaml', face())
  expect(await desk.run(['apply', 'shop', '--yes'])).toMatchObject({ code: 0 })
  const id = (await desk.run(['emit', 'Red', '--quiet'])).out.trim()
  const show = () => desk.run(['--no-pager', 'show', id], { tty: true, env: { VATOM_PICTURES: 'kitty' } })
  const without = await show()
  expect(without.code).toBe(0)
  expect(without.err).not.toMatch(/error|warning/)
  expect(without.out).not.toContain('a=T')
  body = png
  expect((await show()).out).toContain('a=T')
})

/** A vAtom of a service, which a proxy has under a public address, and what is loaded for its picture from where. */
async function shownFrom(place: string, answers: Readonly<Record<string, Response>>) {
  const desk = await publisher()
  const { baseUrl } = await desk.service.listen({ host: '127.0.0.1', port: 0 })
  const { url: proxy } = await serverOf(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const answer = await real(baseUrl + new URL(request.url ?? '').pathname, {
      ...{ method: request.method ?? 'GET', headers: Object(headers) },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  const loaded: string[] = []
  const real = globalThis.fetch
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, options) => {
    const found = answers[String(input)]
    if (found) loaded.push(String(input))
    return found ?? real(input, options)
  })
  onTestFinished(() => fetched.mockRestore())
  desk.file('shop/coupon.yaml', template().replace('https://example.com/card.png', Object.keys(answers)[0] ?? ''))
  desk.file('shop/coupon.variation.yaml', variation())
  desk.file('shop/coupon.faces.yaml', face())
  expect(await desk.run(['apply', 'shop', '--yes', '--accept-addresses'])).toMatchObject({ code: 0 })
  const id = (await desk.run(['emit', 'Red', '--quiet'])).out.trim()
  const env = {
    ...{ VATOM_BASE_URL: place === 'public' ? 'http://93.184.216.34' : baseUrl, VATOM_INSECURE: '1' },
    ...{ VATOM_APP_ID: desk.service.appId, HTTP_PROXY: proxy, VATOM_PICTURES: 'kitty' },
    VATOM_REFRESH_TOKEN: (await desk.service.localSession()).refresh_token,
  }
  const { code, out } = await desk.run(['--no-pager', 'show', id], { tty: true, env })
  expect(code).toBe(0)
  return { loaded, isShown: out.includes('a=T') }
}

const image = () => new Response(png, { headers: { 'content-length': String(png.length) } })
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })
const [far, further, near] = ['http://93.184.216.35/a.png', 'http://93.184.216.36/b.png', 'http://192.168.0.1/reboot']

test.each([
  ['a public address of a public service', 'public', { [far]: image() }, [far], true],
  [
    'a public address, through a redirect',
    'public',
    { [far]: redirect(further), [further]: image() },
    [far, further],
    true,
  ],
  [
    'a redirect without a host',
    'public',
    { [far]: redirect('/c'), 'http://93.184.216.35/c': image() },
    [far, 'http://93.184.216.35/c'],
    true,
  ],
  ['a redirect to a private address', 'public', { [far]: redirect(near), [near]: image() }, [far], false],
  ['a private address', 'public', { [near]: image() }, [], false],
  ['redirects without an end', 'public', { [far]: redirect(far) }, Array(6).fill(far), false],
  ['a private address of a service that is at one', 'private', { [near]: image() }, [near], true],
] as const)('the picture of %s', async (_, place, answers, loaded, isShown) => {
  expect(await shownFrom(place, answers)).toEqual({ loaded, isShown })
})
