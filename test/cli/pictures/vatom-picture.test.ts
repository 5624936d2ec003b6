import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
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
