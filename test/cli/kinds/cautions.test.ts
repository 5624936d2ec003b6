import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { published } from '../../fixtures/catalog.ts'
import { coupon, face, folderTemplate, red, template, variation } from '../../fixtures/yaml.ts'
import { lossy } from '../../support/lossy.ts'
import { type DeskOptions, publisher } from '../../support/vatom.ts'

const box = 'local.vatom::Box::v1'
const first = `${box}::First`
const draftContents = `its child_policy names a draft: ${red}; at most 10 vAtoms of it can be emitted until it is published`

const boxText = published(folderTemplate(box, `[{ template_variation: '${red}' }]`)).replace('CardImage', 'BoxImage')
const firstText = variation(first, box, 'unpublished: false\n')

/** A folder that is to be published, and drafts of what it contains on the service. */
async function withDraft(options: DeskOptions) {
  const desk = await publisher(options)
  desk.file('drafts/coupon.yaml', template())
  desk.file('drafts/red.yaml', variation())
  desk.file('drafts/face.yaml', face())
  desk.file('box/box.yaml', boxText)
  desk.file('box/face.yaml', face(box).replace('CardImage', 'BoxImage'))
  desk.file('box/first.yaml', firstText)
  await desk.json('apply', 'drafts', '--yes')
  return desk
}

describe.each(['local', 'network'] as const)(
  'a folder whose contents stay drafts, on the %s transport',
  (transport) => {
    test('is published by plan and apply with a warning, and named in the JSON of a plan', async () => {
      const { vatom, json, run } = await withDraft({ transport })
      const { out } = await vatom('plan', 'box')
      expect(out.replace(/\s+/g, ' ')).toContain(
        `! publish template ${box} warning: ${draftContents} ! publish variation ${first} Plan`,
      )
      expect(await json('plan', 'box')).toMatchObject({
        results: [
          { cautions: [{ code: 'draft_contents', message: draftContents }] },
          { publishes: false, withheld: true },
          { publishes: false },
        ],
      })
      expect(await json('apply', 'box', '--yes', '--publish', '--dry-run')).toMatchObject({
        results: [
          { cautions: [{ code: 'draft_contents', message: draftContents }] },
          { publishes: true },
          { publishes: false },
        ],
      })
      const question = 'Publishing is final. To publish 2 records, type "publish 2"'
      const asked = await run(['apply', 'box'], {
        tty: true,
        columns: 200,
        answers: { [question]: 'no', 'Apply this plan: write 3 records; 2 stay drafts?': 'n' },
      })
      expect(asked.err).toMatch(/its child_policy names a draft[\s\S]*Publishing is final/)
      const { code, err } = await vatom('apply', 'box', '--yes', '--publish')
      expect(code).toBe(0)
      expect(err).toContain(`warning: template ${box}: ${draftContents}\n`)
      expect(err).not.toContain(`warning: variation ${first}`)
    })

    test('is not warned of without --publish, or if the same run publishes them', async () => {
      const { vatom, json, file } = await withDraft({ transport })
      const quiet = { code: 0, err: expect.not.stringContaining(draftContents) }
      expect(await vatom('apply', 'box', '--yes')).toMatchObject(quiet)
      file('drafts/coupon.yaml', published(template()))
      file(
        'drafts/red.yaml',
        variation('$publisher::Coupon::v1::Red', '$publisher::Coupon::v1', 'unpublished: false\n'),
      )
      const planned = await vatom('plan', 'box', 'drafts')
      expect(planned).toMatchObject({ ...quiet, out: expect.not.stringContaining('child_policy') })
      expect(JSON.stringify(await json('plan', 'box', 'drafts'))).not.toContain('cautions')
      expect(await vatom('apply', 'box', 'drafts', '--yes', '--publish')).toMatchObject(quiet)
    })

    test('is published by template publish and variation publish with a warning; not if they are published', async () => {
      const { vatom } = await withDraft({ transport })
      await vatom('apply', 'box', '--yes')
      const whole = await vatom('template', 'publish', box, '--confirm', box)
      expect(whole).toMatchObject({
        code: 0,
        err: expect.stringContaining(`warning: template ${box}: ${draftContents}\n`),
      })
      const dry = await vatom('variation', 'publish', first, '--confirm', first, '--dry-run')
      expect(dry.err).toContain(`warning: variation ${first}: ${draftContents}\n`)
      await vatom('template', 'publish', coupon, '--confirm', coupon)
      await vatom('variation', 'publish', red, '--confirm', red)
      const { code, err } = await vatom('variation', 'publish', first, '--confirm', first)
      expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('names a draft') })
    })

    test('is created as published with a warning', async () => {
      const { vatom } = await withDraft({ transport })
      const { err } = await vatom('template', 'create', 'box/box.yaml', '--confirm', box)
      expect(err).toContain(`warning: template ${box}: ${draftContents}\n`)
    })
  },
)

test('a saved plan says it when it is shown and applied', async () => {
  const { vatom } = await withDraft({})
  await vatom('plan', 'box', '--out', 'the.plan')
  expect((await vatom('plan', 'show', 'the.plan')).out).toContain('its child_policy names a draft')
  expect((await vatom('apply', 'the.plan')).err).toContain(`warning: template ${box}: ${draftContents}\n`)
})

test('a variation that is published after its template is warned of', async () => {
  const { vatom, file } = await withDraft({})
  file('box/first.yaml', variation(first, box))
  await vatom('apply', 'box', '--yes', '--publish')
  file('box/first.yaml', firstText)
  expect((await vatom('apply', 'box', '--yes', '--publish')).err).toContain(
    `warning: variation ${first}: ${draftContents}\n`,
  )
})

test('example texts are warned of where they are published on another machine, and only there', async () => {
  const desk = await publisher()
  await desk.vatom('init', 'shop', '--name', 'Tea', '--title', 'Tea', '--no-input')
  const { env } = await lossy(desk.service, () => 'answered')
  const far = { ...env, VATOM_BASE_URL: env.VATOM_BASE_URL.replace('127.0.0.1', '0.0.0.0'), VATOM_INSECURE: '1' }
  const elsewhere = async (...args: string[]) => {
    const { out, err } = await desk.run(args, { env: far })
    return out + err
  }
  expect(await elsewhere('plan', 'shop')).not.toContain('example texts')
  expect(await elsewhere('apply', 'shop', '--yes', '--publish')).not.toContain('example texts')
  const tea = readFileSync(join(desk.home, 'shop/tea.yaml'), 'utf8')
  desk.file('shop/tea.yaml', tea.replace('unpublished: true', 'unpublished: false'))
  const found =
    'it has example texts: Describe Tea here., https://example.com/card.png, https://example.com/icon.png; replace them before it is final'
  expect((await elsewhere('plan', 'shop')).replace(/\s+/g, ' ')).toContain(`warning: ${found}`)
  expect((await desk.vatom('plan', 'shop')).out).not.toContain('example texts')
  expect(await elsewhere('template', 'publish', '$publisher::Tea::v1', '--confirm', '$publisher::Tea::v1')).toContain(
    `warning: template local.vatom::Tea::v1: ${found}\n`,
  )
})

test('a template that is published without a face is warned of, unless the service has one', async () => {
  const { vatom, json, file } = await publisher()
  file('shop/coupon.yaml', published(template()))
  const noFace = 'it has no face: viewers show nothing of its vAtoms'
  expect((await vatom('plan', 'shop')).out.replace(/\s+/g, ' ')).toContain(`warning: ${noFace}`)
  expect(await json('plan', 'shop')).toMatchObject({ results: [{ cautions: [{ code: 'no_face', message: noFace }] }] })
  file('shop/face.yaml', face())
  expect((await vatom('plan', 'shop')).out).not.toContain('no face')
  await json('apply', 'shop', '--yes')
  expect((await vatom('plan', 'shop/coupon.yaml')).out).not.toContain('no face')
})
