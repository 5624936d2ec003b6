import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { catalogDesk } from '../../../fixtures/catalog.ts'
import { coupon, face } from '../../../fixtures/yaml.ts'
import { lossy } from '../../../support/lossy.ts'

const card = face(undefined, 'card')
const onIos = card.replace('platform: generic', 'platform: ios')
const web = onIos.replaceAll('native://image', 'https://example.com/card')
const renamedCard = web.replace('quality: high', 'quality: low').replaceAll('/card', '/card2')
const native = onIos.replace('quality: high', 'quality: low')

/** A desk whose catalog has faces, of which some were applied before the others. */
async function desk(before: readonly string[], files: readonly string[]) {
  const own = await catalogDesk()
  own.file('catalog/5-cards.yaml', before.join('---\n'))
  await own.applied()
  own.file('catalog/5-cards.yaml', files.join('---\n'))
  return own
}
type Desk = Awaited<ReturnType<typeof desk>>

const shown = async ({ json }: Desk) =>
  Object(await json('face', 'select', coupon, '--view-mode', 'card', '--platform', 'ios'))[0].face.display_url

test('of equally good faces, one that the files have first and the service has not is a warning wherever documents have them', async () => {
  const own = await desk([card], [web, card])
  const { vatom, json, home, applied } = own
  const message =
    'apps on ios show another face as card: the one at catalog/5-cards.yaml:17 is as good, and registered earlier'
  expect((await vatom('plan', 'catalog')).err).toContain(
    `warning[face-order]: ${message}\n --> catalog/5-cards.yaml:4:1`,
  )
  expect((await vatom('apply', 'catalog', '--yes')).err).toContain(message)
  expect(await shown(own)).toBe('native://image')
  const { results } = Object(await json('plan', 'catalog'))
  const problem = { rule: 'face-order', severity: 'warning', line: 4, message }
  expect(results.flatMap(({ problems }: { problems: unknown[] }) => problems)).toMatchObject([problem])
  expect(await vatom('plan', 'catalog', '--max-warnings', '0')).toMatchObject({ code: 3 })
  await vatom('plan', 'catalog', '--out', 'the.plan', '--junit', 'report.xml')
  expect(readFileSync(join(home, 'report.xml'), 'utf8')).toContain(message)
  expect((await vatom('plan', 'show', 'the.plan')).err).toContain(message)
  expect((await vatom('plan', 'catalog', '--format', 'markdown')).out).toContain(message)
  expect((await vatom('apply', 'the.plan')).err.split(message)).toHaveLength(2)

  const remedy = /have it registered again, behind this one: vatom (face delete [-\da-f]{36}), then apply again/
  const [, command = ''] = remedy.exec((await vatom('plan', 'catalog')).err) ?? []
  expect(await vatom(...command.split(' '), '--yes')).toMatchObject({ code: 0 })
  await applied()
  expect((await vatom('plan', 'catalog')).err).not.toContain('face-order')
  expect(await shown(own)).toBe('https://example.com/card')
})

test('a face that is written and that one in no file keeps from being shown is a warning, until that one is deleted', async () => {
  const own = await desk([web], [renamedCard])
  const { vatom, json, applied } = own
  const message =
    /apps on ios show another face as card: ([-\da-f]{36}) \(card, ios, high, https:\/\/example.com\/card\) on the service is in no file/
  const planned = await vatom('plan', 'catalog')
  expect(planned.err).toMatch(message)
  const id = String(message.exec(planned.err)?.[1])
  expect(planned.err).toContain(`delete it: --prune, or vatom face delete ${id}`)
  expect((await vatom('plan', 'catalog/4-coupon.yaml', 'catalog/5-cards.yaml')).err).toContain(
    '--prune of the whole catalog, or vatom face',
  )
  expect((await vatom('apply', 'catalog', '--yes')).err).toMatch(message)
  expect(await shown(own)).toBe('https://example.com/card')
  expect((await vatom('plan', 'catalog')).err).not.toContain('face-order')

  expect(await vatom('face', 'delete', id, '--yes')).toMatchObject({ code: 0 })
  expect(await shown(own)).toBe('https://example.com/card2')
  expect(await json('plan', 'catalog')).toMatchObject({ unlisted: [] })
  await applied()
})

test.each([
  ['that --prune deletes', [renamedCard], ['--prune']],
  ['for other apps', [renamedCard.replace('platform: ios', 'platform: android')], []],
  ['of another view mode', [renamedCard.replace('view_mode: card', 'view_mode: fullscreen')], []],
])('nothing is said of a face in no file %s', async (_, files, flags) => {
  const { vatom } = await desk([web], files)
  expect((await vatom('plan', 'catalog', ...flags)).err).not.toContain('face-order')
})

test('all faces are named that have to be registered again', async () => {
  const low = web.replace('quality: high', 'quality: low')
  const { vatom } = await desk([card, low], [web, card, low])
  expect((await vatom('plan', 'catalog')).err).toMatch(
    /those at catalog\/5-cards.yaml:17, catalog\/5-cards.yaml:30 are as good.*\n(.*\n)+.*vatom face delete [-\da-f]{36} [-\da-f]{36}, then/,
  )
})

test.each([
  ['faces that are not equally good', [card], [native, card]],
  ['faces in the order of the service', [card], [card, web]],
  ['faces of other view modes', [face(undefined, 'fullscreen')], [web, face(undefined, 'fullscreen')]],
  ['faces that are all new', [face(undefined, 'fullscreen')], [face(undefined, 'fullscreen'), web, card]],
])('nothing is said of the order of %s', async (_, before, files) => {
  const { vatom, applied } = await desk(before, files)
  expect((await vatom('plan', 'catalog')).err).not.toContain('face-order')
  await applied()
  expect((await vatom('plan', 'catalog')).err).not.toContain('face-order')
})

test('equally good faces are registered in the order of the files, whichever request takes longest', async () => {
  const own = await catalogDesk()
  own.file('catalog/5-cards.yaml', [web, card].join('---\n'))
  const delays = [200, 400, 0]
  const { env } = await lossy(own.service, async ({ method, url }) => {
    const isFace = method === 'POST' && url === '/v1/publisher/face'
    await setTimeout(isFace ? delays.shift() : 0)
    return 'answered' as const
  })
  expect(await own.run(['apply', 'catalog', '--yes'], { env })).toMatchObject({ code: 0 })
  expect(await shown(own)).toBe('https://example.com/card')
})
