import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogDesk, published, rowsOf } from '../../../fixtures/catalog.ts'
import { action, coupon, face, red, template, variation } from '../../../fixtures/yaml.ts'
import { registerAnyway } from '../../../support/desks.ts'
import { type Fate, lossy } from '../../../support/lossy.ts'

const eth = (value: number) => `eth:\n  network: mainnet\n  fields:\n    a: { type: uint, value: ${value} }\n`
const all = ['apply', 'catalog', '--yes', '--publish', '--accept-charges', '--prune-unowned', '--json'] as const

/** What is written of a run on which some requests are refused, in order. */
async function refusing(desk: Awaited<ReturnType<typeof catalogDesk>>, refused: RegExp) {
  const written: string[] = []
  const { env } = await lossy(
    desk.service,
    ({ method, url }) => (method !== 'GET' && refused.test(`${method} ${url}`) ? { status: 400 } : 'answered'),
    (status, { method, url }) => void (method !== 'GET' && written.push(`${status} ${method} ${url}`)),
  )
  const { code, out } = await desk.run(all, { env })
  return { code, rows: rowsOf(JSON.parse(out), 'status'), results: JSON.parse(out).results, written }
}

describe('what comes after something that failed is not begun', () => {
  test('publishing, where a face of what was charged is refused', async () => {
    const desk = await catalogDesk('local', eth(1))
    desk.file('catalog/4-coupon.yaml', published(template(undefined, eth(1))))
    const { code, rows, results } = await refusing(desk, /POST \/v1\/publisher\/face/)
    expect(code).toBe(6)
    expect(rows).toEqual([
      `not_sent template ${coupon}`,
      `created variation ${red}`,
      `created action ${coupon}::Action::Transfer`,
      `refused face ${coupon} icon, generic, high, native://image`,
    ])
    expect(results[0].message).toMatch(/^Created template .* \(draft\) .*; not published: /)
    expect(await desk.json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: true } })
  })

  test('publishing, where a deletion is refused', async () => {
    const desk = await catalogDesk()
    await desk.applied()
    desk.file('catalog/4-coupon.yaml', published(template()))
    desk.remove('2-action')
    const { code, rows } = await refusing(desk, /^DELETE/)
    expect(code).toBe(1)
    expect(rows).toContain(`not_sent template ${coupon}`)
    expect(await desk.json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: true } })
  })

  test('publishing that is refused is told beside what was written', async () => {
    const desk = await catalogDesk()
    desk.file('catalog/4-coupon.yaml', published(template()))
    const { rows, results } = await refusing(desk, /^PATCH/)
    expect(rows).toContain(`refused template ${coupon}`)
    expect(results[0].message).toMatch(/^Created template .*; not published: no$/)
  })
})

describe('what was written and is to be published, but is not', () => {
  const bothPublished = async () => {
    const desk = await catalogDesk()
    desk.file('catalog/4-coupon.yaml', published(template()))
    desk.file('catalog/3-red.yaml', variation(undefined, undefined, 'unpublished: false\n'))
    return desk
  }
  const words = ['apply', 'catalog', '--yes', '--publish', '--json', '--junit', 'report.xml']

  test('is not sent where publishing was refused before it, and counts as not done', async () => {
    const desk = await bothPublished()
    const { env } = await lossy(desk.service, ({ method }) => (method === 'PATCH' ? { status: 409 } : 'answered'))
    const { code, out, err } = await desk.run(words, { env })
    const { results, summary, error } = JSON.parse(out)
    expect({ code, summary, message: error.message }).toMatchObject({
      code: 6,
      summary: { total: 4, ok: 2, failed: 2 },
      message: '2 of 4 documents were not done',
    })
    expect(results[0]).toMatchObject({ status: 'refused', written: 'created' })
    expect(results[1]).toMatchObject({
      status: 'not_sent',
      written: 'created',
      message: expect.stringMatching(/^Created variation .*; not published: no$/),
    })
    expect(err).toContain('1 created but refused, 1 created but not published')
    const report = readFileSync(join(desk.home, 'report.xml'), 'utf8')
    expect(report).toContain('tests="4" failures="1" errors="0" skipped="1"')
    expect(report).toMatch(/<skipped message="Created variation /)
    // The catalog owns what was created.
    expect(await desk.json('plan', 'catalog')).toMatchObject({ summary: { unlabelled: 0 } })
  })

  test('is not sent after an interruption', async () => {
    const desk = await bothPublished()
    const interrupted = new AbortController()
    const { env } = await lossy(desk.service, ({ method }) => {
      if (method === 'PATCH') interrupted.abort()
      return 'answered'
    })
    const { code, out } = await desk.run(words, { env, signal: interrupted.signal })
    const { results, summary, error } = JSON.parse(out)
    expect({ code, summary }).toMatchObject({ code: 130, summary: { ok: 3, failed: 1 } })
    expect(error.message).toContain('interrupted: 1 of 4 documents were not done')
    expect(results[1]).toMatchObject({ status: 'not_sent', written: 'created' })
  })

  test('is partly done, also if it is the only document', async () => {
    const desk = await bothPublished()
    desk.remove('1-face', '2-action', '3-red')
    const { env } = await lossy(desk.service, ({ method }) => (method === 'PATCH' ? { status: 409 } : 'answered'))
    const { code, out } = await desk.run(words, { env })
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 6, summary: { ok: 0, failed: 1 } })
  })
})

test('what stands on a charged change of a template is written after it', async () => {
  const desk = await catalogDesk('local', eth(1))
  await desk.applied('--accept-charges')
  desk.file('catalog/4-coupon.yaml', template(undefined, eth(2)).replace('color: blue', 'color: blue\n    size: s'))
  desk.file('catalog/3-red.yaml', variation().replace('color: red', 'color: red\n    size: m'))
  const { code, out } = await desk.run(all)
  expect({ code, rows: rowsOf(JSON.parse(out), 'status').slice(0, 2) }).toEqual({
    code: 0,
    rows: [`updated template ${coupon}`, `updated variation ${red}`],
  })
})

describe('a template that takes something away from its variation', () => {
  test('changes after it', async () => {
    const desk = await catalogDesk()
    await desk.applied()
    desk.file('catalog/4-coupon.yaml', template().replace('  private:\n    color: blue\n', ''))
    desk.file('catalog/3-red.yaml', variation().replace('  private:\n    color: red\n', ''))
    await desk.applied()
    expect(await desk.json('plan', 'catalog')).toMatchObject({ summary: { unchanged: 4 } })
  })

  test('and gives it something new is refused when it is planned, with the way round', async () => {
    const desk = await catalogDesk()
    await desk.applied()
    desk.file('catalog/4-coupon.yaml', template().replace('color:', 'colour:'))
    desk.file('catalog/3-red.yaml', variation().replace('color:', 'colour:'))
    const planned = await desk.vatom('plan', 'catalog')
    expect(planned).toMatchObject({
      code: 1,
      out: expect.stringMatching(/cannot change in one step: .*color.*colour[\s\S]*hint: apply it in two steps/),
    })
    desk.file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: blue\n    colour: blue'))
    await desk.applied()
    desk.file('catalog/4-coupon.yaml', template().replace('color:', 'colour:'))
    await desk.applied()
  })
})

test('a template is not published that would leave a face without its resource, which is not in the catalog', async () => {
  const desk = await catalogDesk()
  await desk.applied()
  await registerAnyway(desk, face(undefined, 'card'))
  const renamed = published(template()).replace('name: CardImage', 'name: OtherImage')
  desk.file('catalog/4-coupon.yaml', renamed)
  desk.file('catalog/1-face.yaml', face().replace('[CardImage]', '[OtherImage]'))
  expect(await desk.vatom('plan', 'catalog')).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /cannot be published as it is: face card, generic, high, native:\/\/image \(\S+\): .*CardImage/,
    ),
  })
  expect(await desk.vatom('apply', 'catalog', '--yes')).toMatchObject({ code: 1 })
})

describe('a face without its resource, which is in no file, is deleted before its template is published', () => {
  test.each([
    ['the catalog owns', '--prune'],
    ['no catalog owns', '--prune-unowned'],
  ])('that %s, by the option in the hint', async (_, option) => {
    const desk = await catalogDesk()
    desk.file('catalog/vatom.yaml', 'catalog: shop\n')
    const card = face(undefined, 'card')
    if (option === '--prune') desk.file('catalog/5-card.yaml', card)
    await desk.applied()
    if (option === '--prune') desk.remove('5-card')
    else await registerAnyway(desk, card)
    const renamed = template().replace('name: CardImage', 'name: OtherImage')
    desk.file('catalog/4-coupon.yaml', published(renamed))
    desk.file('catalog/1-face.yaml', face().replace('[CardImage]', '[OtherImage]'))
    desk.changes()
    const refused = await desk.vatom('apply', 'catalog', '--publish', '--yes')
    const mending = "give the template the resource, or change the face's file and apply it, too"
    const hint = new RegExp(
      `hint: ${mending}; or delete the face first: vatom face delete \\S+, or with the same run: add ${option}\\n`,
    )
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.out + refused.err).toMatch(hint)
    expect(desk.changes()).toEqual([])
    expect(await desk.vatom('plan', 'catalog', option)).toMatchObject({ code: 0 })
    await desk.applied(option)
    expect(await desk.json('face', 'list', coupon)).toHaveLength(1)
    expect(await desk.json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: true } })
    await desk.applied('--publish')
    expect(await desk.json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: false } })
  })

  test('by the run that publishes it, too', async () => {
    const desk = await catalogDesk()
    await desk.applied()
    await registerAnyway(desk, face(undefined, 'card'))
    desk.file('catalog/4-coupon.yaml', published(template().replace('name: CardImage', 'name: OtherImage')))
    desk.file('catalog/1-face.yaml', face().replace('[CardImage]', '[OtherImage]'))
    await desk.applied('--publish', '--prune-unowned')
    expect(await desk.json('face', 'list', coupon)).toHaveLength(1)
    expect(await desk.json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: false } })
  })
})

describe('a face of which somebody else is faster', () => {
  test('is not made twice, by another run or by a request that came late', async () => {
    const desk = await catalogDesk()
    desk.remove('1-face')
    await desk.applied()
    desk.file('catalog/1-face.yaml', face())
    const { env } = await lossy(desk.service, async ({ method, url }): Promise<Fate> => {
      if (method === 'POST' && url?.endsWith('/face')) await registerAnyway(desk, face())
      return 'answered'
    })
    expect(await desk.run(['apply', 'catalog', '--yes'], { env })).toMatchObject({ code: 0 })
    expect(await desk.json('face', 'list', coupon)).toHaveLength(1)
  })
})

test.each(['plan', 'apply'])('%s of one file names the file of the catalog that has its template', async (verb) => {
  const desk = await catalogDesk()
  const { out, err } = await desk.vatom(verb, 'catalog/2-action.yaml')
  expect(out + err).toContain(`no template is named ${coupon}\n`)
  expect((out + err).replace(/\s+/g, ' ')).toContain(
    'hint: catalog/4-coupon.yaml has it: name it too, or apply all of the catalog: vatom apply catalog ',
  )
  expect(out + err).not.toContain('create the template first')
  desk.remove('4-coupon')
  expect((await desk.vatom('plan', 'catalog/2-action.yaml')).out).toContain(
    'create the template first, or add it to the catalog, which has none',
  )
})

test.each(['plan', 'apply'])(
  '%s of a catalog names the other catalog of the repository that has its template',
  async (verb) => {
    const { vatom, file } = await catalogDesk()
    for (const [name, text] of [
      ['cards', template()],
      ['colours', variation()],
    ] as const) {
      file(`shop/${name}/vatom.yaml`, `catalog: ${name}\n`)
      file(`shop/${name}/all.yaml`, text)
    }
    const { code, out, err } = await vatom(verb, 'shop/colours')
    expect({ code, text: (out + err).replace(/\s+/g, ' ') }).toEqual({
      code: 1,
      text: expect.stringContaining(
        'hint: shop/cards has it: name it too, to plan both as one, or apply it first: vatom apply shop/cards',
      ),
    })
    expect(await vatom('plan', 'shop/cards', 'shop/colours')).toMatchObject({ code: 0 })
    file('shop/cards/vatom.yaml', 'catalog: cards\nignore: [all.yaml]\n')
    const ignored = await vatom(verb, 'shop/colours')
    expect((ignored.out + ignored.err).replace(/\s+/g, ' ')).toContain(
      'hint: shop/cards/all.yaml, which its catalog ignores, has it: take it from "ignore" in the vatom.yaml there',
    )
  },
)

describe('--dry-run', () => {
  test('of apply --yes leaves drafts as drafts, as apply --yes does', async () => {
    const desk = await catalogDesk()
    desk.file('catalog/4-coupon.yaml', published(template()))
    const [shown, whole] = await Promise.all([
      desk.json('apply', 'catalog', '--yes', '--dry-run'),
      desk.json('apply', 'catalog', '--yes', '--publish', '--dry-run'),
    ])
    expect([shown, whole]).toMatchObject([{ summary: { publish: 0 } }, { summary: { publish: 1 } }])
  })

  test('publishes only what apply with the same flags publishes, and plan says what --publish adds', async () => {
    const desk = await catalogDesk()
    await desk.applied()
    desk.file('catalog/4-coupon.yaml', published(template()))
    const { out } = await desk.vatom('apply', 'catalog', '--prune', '--dry-run')
    expect(out).toBe('Plan for 4 documents: 4 unchanged; 1 document stays a draft: to publish it, add --publish\n')
    expect((await desk.vatom('apply', 'catalog/4-coupon.yaml', '--dry-run')).out).toBe(
      'Plan for 1 document: 1 unchanged; 1 document stays a draft: to publish it, add --publish\n',
    )
    expect((await desk.vatom('apply', 'catalog', '--publish', '--dry-run')).out).toBe(
      `Cannot be undone:\n  ! publish template ${coupon}\nPlan for 4 documents: 1 to publish, 3 unchanged\n`,
    )
    const offered = `  ! publish template ${coupon}\n`
    const headline = 'Plan for 4 documents: 4 unchanged; 1 would be published with --publish'
    expect((await desk.vatom('plan', 'catalog')).out).toBe(
      `Cannot be undone, and is done only with --publish, or typed when apply asks:\n${offered}${headline}\n`,
    )
    const markdown = await desk.vatom('plan', 'catalog', '--format', 'markdown')
    expect(markdown.out).toContain(
      `### ${headline}\n\n**Cannot be undone, and is done only with --publish, or typed when apply asks:**\n`,
    )
    expect((await desk.vatom('plan', 'catalog', '--out', 'a.plan')).out).toBe(
      `Cannot be undone:\n${offered}Plan for 4 documents: 1 to publish, 3 unchanged\n`,
    )
  })
})

test('one document that fails beside unchanged ones exits with the code of its reason, not with 6', async () => {
  const desk = await catalogDesk()
  await desk.applied()
  desk.file('catalog/3-red.yaml', variation().replace('color: red', 'color: pink'))
  const { env } = await lossy(desk.service, ({ method, headers }) =>
    method === 'GET' || headers['vatom-dry-run'] !== undefined ? 'answered' : { status: 500 },
  )
  const { code, out } = await desk.run(['apply', 'catalog', '--yes', '--json'], { env })
  expect({ code, out: JSON.parse(out) }).toMatchObject({ code: 5, out: { summary: { total: 4, ok: 3, failed: 1 } } })
})

describe('--junit', () => {
  test('that cannot be written fails before anything is done', async () => {
    const desk = await catalogDesk()
    desk.file('a', '')
    for (const command of [['plan'], ['apply', '--yes']]) {
      const { code, out } = await desk.run([...command, 'catalog', '--junit', 'a/x.xml', '--json'])
      expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 1, error: { code: 'file_unwritable' } })
    }
    expect(desk.changes()).toEqual([])
  })

  test('tells what a plan would do, deletions too, and of a run that came to nothing', async () => {
    const desk = await catalogDesk()
    const report = () => readFileSync(join(desk.home, 'x.xml'), 'utf8')
    await desk.vatom('plan', 'catalog', '--junit', 'x.xml')
    expect(report()).toMatch(/tests="4" failures="0"[\s\S]*value="created"/)
    await desk.applied()
    desk.remove('2-action')
    await desk.vatom('plan', 'catalog', '--prune', '--junit', 'x.xml')
    expect(report()).toMatch(/tests="4"[\s\S]*value="deleted"/)
    const env = { VATOM_BASE_URL: 'http://127.0.0.1:1', VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'y' }
    expect(await desk.run(['apply', 'catalog', '--yes', '--junit', 'x.xml'], { env })).toMatchObject({ code: 5 })
    expect(report()).toMatch(
      /failures="1"[\s\S]*classname="vatom"[\s\S]*No answer from http:\/\/127.0.0.1:1[\s\S]*hint: /,
    )
    expect(report()).not.toContain('did not finish')
  })

  test('says why a run failed as a whole: message and hint', async () => {
    const desk = await catalogDesk()
    const failing = async (...args: string[]) => {
      await desk.vatom(...args, '--junit', 'x.xml')
      return readFileSync(join(desk.home, 'x.xml'), 'utf8')
    }
    expect(await failing('apply', 'catalog')).toMatch(/classname="vatom"[\s\S]*hint: to answer yes, add --yes/)
    await desk.vatom('plan', 'catalog', '--out', 'the.plan')
    const plan = readFileSync(join(desk.home, 'the.plan'), 'utf8')
    desk.file('edited.plan', plan.replace('"blue"', '"pink"'))
    expect(await failing('apply', 'edited.plan')).toMatch(/cut off, edited[\s\S]*hint: plan again/)
    await desk.applied()
    desk.file('else.yaml', template().replace('color: blue', 'color: green'))
    await desk.vatom('template', 'update', 'else.yaml')
    const report = await failing('apply', 'the.plan')
    expect(report).toMatch(/<failure message="The service has changed since[\s\S]*hint: nothing was sent; plan again/)
    expect(report).not.toContain('did not finish')
  })
})

test('a plan that cannot be saved prints one JSON document', async () => {
  const desk = await catalogDesk()
  const { code, out } = await desk.run(['plan', 'catalog', '--out', 'catalog/1-face.yaml/the.plan', '--json'])
  expect({ code, ...JSON.parse(out) }).toEqual({
    code: 1,
    error: expect.objectContaining({ code: 'file_unwritable' }),
  })
})

test('what is no plan to look at, and what a plan decided already, are usage errors', async () => {
  const desk = await catalogDesk()
  await desk.json('plan', 'catalog', '--out', 'the.plan')
  expect(await desk.vatom('plan', 'the.plan')).toMatchObject({
    code: 2,
    err: expect.stringContaining('vatom apply the.plan'),
  })
  for (const flag of ['--publish', '--accept-charges'])
    expect(await desk.vatom('apply', 'the.plan', flag)).toMatchObject({ code: 2, err: expect.stringContaining(flag) })
  expect(existsSync(desk.ledgers)).toBe(false)
})

test('what was refused is settled: the next run says nothing of it, and waits for nothing', async () => {
  const desk = await catalogDesk()
  await refusing(desk, /POST \/v1\/publisher\/face/)
  const slept: number[] = []
  const { env } = await lossy(desk.service, () => 'answered')
  const { code, err } = await desk.run(['apply', 'catalog', '--yes'], { env, slept })
  expect({ code, slept, told: err.includes('an earlier apply') }).toEqual({ code: 0, slept: [], told: false })
})

test('faces without constraints are not told to be alike', async () => {
  const desk = await catalogDesk()
  const bare = face().replace(/constraints:[\s\S]*?quality: high\n/, '')
  desk.file('catalog/1-face.yaml', `${bare}---\n${bare}`)
  const { code, err } = await desk.vatom('plan', 'catalog')
  expect({ code, err }).toEqual({ code: 3, err: expect.not.stringContaining('face-twice') })
})

test('what the service warns of is not told where the rest of the catalog mends it', async () => {
  const desk = await catalogDesk()
  const folder = template('$publisher::Bag::v1')
    .replace('root_type: vAtom::vAtomType', 'root_type: vAtom::vAtomType::DefinedFolderContainerType')
    .replace('    resources:', `    child_policy: [{ template_variation: ${red}, count: 1 }]\n    resources:`)
  desk.file('catalog/0-bag.yaml', folder)
  const { code, err } = await desk.vatom('apply', 'catalog', '--yes')
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('child_policy') })
})

describe('validate', () => {
  test('checks documents of every kind', async () => {
    const desk = await catalogDesk()
    expect(await desk.vatom('validate', 'catalog')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/valid template[\s\S]*valid variation[\s\S]*valid action[\s\S]*valid face/),
    })
    desk.file('catalog/1-face.yaml', face().replace('icon', 'icno'))
    desk.file('catalog/2-action.yaml', action().replace('reactor:', 'reacter:'))
    const { code, out } = await desk.run(['validate', 'catalog', '--json'])
    const { results, summary } = JSON.parse(out)
    expect({ code, summary }).toEqual({ code: 3, summary: { total: 4, ok: 2, failed: 2 } })
    expect(results.filter(({ status }: { status: string }) => status === 'invalid')).toMatchObject([
      {
        kind: 'action',
        problems: expect.arrayContaining([expect.objectContaining({ hint: 'did you mean reactor?' })]),
      },
      { kind: 'face' },
    ])
    expect(desk.changes()).toEqual([])
  })
})
