import { describe, expect, test } from 'vitest'
import { published } from '../../fixtures/catalog.ts'
import { coupon, template } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

const question = `Publishing is final. To publish it, type ${coupon}`
const wide = { tty: true, columns: 200 }

/** A draft, and whether it still is one. */
async function draft() {
  const desk = await publisher()
  desk.file('coupon.yaml', template())
  await desk.vatom('template', 'create', 'coupon.yaml')
  const isDraft = async () => JSON.stringify(await desk.json('template', 'get', coupon)).includes('"unpublished":true')
  return { ...desk, isDraft }
}

describe('template publish', () => {
  test.each([coupon, '$publisher::Coupon::v1'])('shows the name that a person types: %s', async (answer) => {
    const { run, isDraft } = await draft()
    const { code, err } = await run(['template', 'publish', coupon], { ...wide, answers: { [question]: answer } })
    expect({ code, err, isDraft: await isDraft() }).toEqual({
      code: 0,
      err: expect.stringContaining(question),
      isDraft: false,
    })
  })

  test.each(['y', 'yes', '', 'local.vatom::Coupon::v2'])('publishes nothing if %j is typed', async (answer) => {
    const { run, isDraft } = await draft()
    const { code, out, err } = await run(['template', 'publish', coupon], { ...wide, answers: { [question]: answer } })
    expect({ code, out, isDraft: await isDraft() }).toEqual({ code: 1, out: '', isDraft: true })
    expect(err).toContain('Nothing was done')
  })

  test('with --yes says which flag it needs, with the name', async () => {
    const { vatom, isDraft } = await draft()
    expect(await vatom('template', 'publish', '$publisher::Coupon::v1', '--yes')).toEqual({
      code: 2,
      out: '',
      err: 'error: --yes does not confirm what is final\nhint: give the name again: --confirm NAME\n',
    })
    expect(await isDraft()).toBe(true)
  })
})

describe('create of what says unpublished: false, without a terminal', () => {
  const other = 'local.vatom::Other::v1'
  async function final(...documents: readonly string[]) {
    const desk = await publisher()
    desk.file('final.yaml', documents.map((name) => published(template(name))).join('---\n'))
    const create = (...flags: readonly string[]) => desk.vatom('template', 'create', 'final.yaml', ...flags)
    return { create, count: async () => Object(await desk.json('template', 'list')).length }
  }

  test('says what is missing, and creates nothing', async () => {
    const { create, count } = await final(coupon)
    const { code, err } = await create()
    expect(code).toBe(2)
    expect(err).toContain(
      `error: This needs an answer, and there is no terminal to ask on: ${question}\nhint: give it with --confirm ${coupon}\n`,
    )
    expect(await count()).toBe(0)
  })

  test.each([[coupon], ['$publisher::Coupon::v1']])('is confirmed by its name, as publish is: %s', async (name) => {
    const { create, count } = await final(coupon)
    expect(await create('--confirm', name)).toMatchObject({ code: 0 })
    expect(await count()).toBe(1)
  })

  test.each([
    ['--yes', 'Publishing is final: --yes does not confirm it'],
    ['--confirm', '--confirm y does not confirm what is published', 'y'],
  ])('is not confirmed by %s', async (flag, said, ...value) => {
    const { create, count } = await final(coupon, other)
    expect(await create(flag, ...value)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`error: ${said}\nhint: give it with --confirm 'publish 2'\n`),
    })
    expect(await count()).toBe(0)
    expect(await create('--confirm', 'publish 2')).toMatchObject({ code: 0 })
    expect(await count()).toBe(2)
  })
})

test.each([
  [coupon, 0, 1],
  ['y', 1, 0],
])('template create of a document that says unpublished: false asks for its name: %s', async (answer, code, count) => {
  const { run, file, json } = await publisher()
  file('final.yaml', published(template()))
  const ended = await run(['template', 'create', 'final.yaml'], { ...wide, answers: { [question]: answer } })
  expect(ended).toMatchObject({ code })
  expect(await json('template', 'list')).toHaveLength(count)
})
