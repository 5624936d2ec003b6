import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../../src/cli/catalog/plan/compare-record.ts'
import { at } from '../../../../src/contract/schema/path.ts'
import { type CatalogDesk, catalogDesk, published, rowsOf } from '../../../fixtures/catalog.ts'
import { action, coupon, face, red, template, variation } from '../../../fixtures/yaml.ts'
import { registerAnyway, transports, watchedDesk } from '../../../support/desks.ts'
import { testClock } from '../../../support/host.ts'
import { lossy } from '../../../support/lossy.ts'

const transfer = `${coupon}::Action::Transfer`
const eth = 'eth:\n  network: mainnet\n  fields:\n    a: { type: uint, value: 1 }\n'

/** Saves a plan of the catalog; answers what carrying it out includes. */
async function saved({ vatom, changes }: Pick<CatalogDesk, 'vatom' | 'changes'>, ...args: string[]) {
  const { code, err } = await vatom('plan', 'catalog', '--out', 'the.plan', ...args)
  const [, included] = /Saved the plan\. To carry it out(.*): vatom apply the\.plan\n/.exec(err) ?? []
  expect({ code, included }).toEqual({ code: 0, included: expect.any(String) })
  changes()
  return included
}

describe.each(transports)('on the %s transport', (transport) => {
  test('carries out what was reviewed, publishing and charges included, and asks nothing', async () => {
    const desk = await catalogDesk(transport)
    const { json, file, changes, vatom } = desk
    file('catalog/4-coupon.yaml', published(template(undefined, eth)))
    expect(await saved(desk)).toBe(', including publishing and charges')
    const done = await json('apply', 'the.plan')
    expect(rowsOf(done, 'status').sort()).toEqual([
      `created action ${transfer}`,
      `created face ${coupon} icon, generic, high, native://image`,
      `created variation ${red}`,
      `published template ${coupon}`,
    ])
    expect(done).toMatchObject({ summary: { total: 4, ok: 4, failed: 0 } })
    expect(changes()).toHaveLength(5)
    expect(await json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: false } })
    expect(await vatom('plan', 'catalog', '--exit-code')).toMatchObject({ code: 0 })
  })

  test('says nothing of files that were only written again, with another layout', async () => {
    const desk = await catalogDesk(transport)
    expect(await saved(desk)).toBe('')
    desk.file('catalog/4-coupon.yaml', `# A comment.\n${template()}`)
    expect(await desk.vatom('apply', 'the.plan')).toMatchObject({
      code: 0,
      err: expect.not.stringContaining('warning'),
    })
  })

  test.each(['__proto__', 'constructor', 'toString'])('carries out a catalog in a folder named %s', async (folder) => {
    const { file, json, vatom } = await watchedDesk(transport)
    file(`${folder}/coupon.yaml`, template())
    await vatom('plan', folder, '--out', 'the.plan')
    expect(await json('apply', 'the.plan')).toMatchObject({ summary: { total: 1, ok: 1, failed: 0 } })
    expect(await json('plan', folder, '--prune')).toMatchObject({ results: [{ action: 'unchanged' }] })
  })

  test('carries out a catalog in which a resource is a file, and shows the warning of it', async () => {
    const desk = await catalogDesk(transport)
    desk.file('catalog/4-coupon.yaml', template().replace(/value: https:\S+/, 'value: images/cup.png'))
    desk.file('catalog/images/cup.png', 'a picture')
    await saved(desk)
    const shown = await desk.vatom('plan', 'show', 'the.plan')
    expect(shown).toMatchObject({ code: 0 })
    expect(await desk.vatom('apply', 'the.plan')).toMatchObject({
      code: 0,
      err: expect.stringContaining('warning[private-address]: images/cup.png is the path of a file'),
    })
  })

  test('is made again in the folder in which it was made, by the command of its refusal', async () => {
    const desk = await catalogDesk(transport)
    const here = { cwd: 'catalog' }
    expect(await desk.run(['plan', '.', '--out', '../my plans/the.plan'], here)).toMatchObject({ code: 0 })
    desk.file('other.yaml', template().replace('color: blue', 'color: green'))
    await desk.json('template', 'create', 'other.yaml')
    const { err } = await desk.vatom('apply', 'my plans/the.plan')
    expect(err).toContain("plan again: cd catalog && vatom plan . --out '../my plans/the.plan'; in a pipeline, ")
    expect((await desk.run(['apply', '../my plans/the.plan'], here)).err).toContain(
      "plan again: vatom plan . --out '../my plans/the.plan'; in a pipeline, ",
    )
  })

  test('is made again in the folder in which it was made, also beside a copy of that, and in the present one once that is gone', async () => {
    const desk = await catalogDesk(transport)
    const here = { cwd: 'catalog' }
    const copy = { cwd: 'copy' }
    cpSync(join(desk.home, 'catalog'), join(desk.home, 'copy'), { recursive: true })
    expect(await desk.run(['plan', '.', '--out', '../the.plan'], here)).toMatchObject({ code: 0 })
    desk.file('other.yaml', template().replace('color: blue', 'color: green'))
    await desk.json('template', 'create', 'other.yaml')
    expect((await desk.run(['apply', '../the.plan'], copy)).err).toContain(
      'plan again: cd ../catalog && vatom plan . --out ../the.plan; in a pipeline, ',
    )
    rmSync(join(desk.home, 'catalog'), { recursive: true })
    expect((await desk.run(['apply', '../the.plan'], copy)).err).toContain(
      'plan again: vatom plan . --out ../the.plan; in a pipeline, ',
    )
  })

  test('makes the folders of its file', async () => {
    const desk = await catalogDesk(transport)
    expect(await desk.vatom('plan', 'catalog', '--out', 'new/folder/the.plan')).toMatchObject({ code: 0 })
    expect(await desk.vatom('apply', 'new/folder/the.plan')).toMatchObject({ code: 0 })
  })

  test('carries out what was planned, whatever the files say by now', async () => {
    const desk = await catalogDesk(transport)
    await saved(desk)
    desk.file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: green'))
    desk.remove('1-face')
    expect(await desk.vatom('apply', 'the.plan')).toMatchObject({
      code: 0,
      err: expect.stringMatching(
        /^warning: catalog\/4-coupon\.yaml changed after the plan was made, which sends what was reviewed; to send the change, plan again: vatom plan catalog --out the.plan$/m,
      ),
    })
    expect(await desk.json('template', 'get', coupon)).toMatchObject({
      properties: { template: { private: { color: 'blue' } } },
    })
    expect(await desk.json('face', 'list', coupon)).toHaveLength(1)
  })

  test('waits for no pipe that has the place of a file by now', async () => {
    const desk = await catalogDesk(transport)
    await saved(desk)
    desk.remove('1-face')
    execFileSync('mkfifo', [join(desk.home, 'catalog/1-face.yaml')])
    expect(await desk.vatom('apply', 'the.plan')).toMatchObject({
      code: 0,
      err: expect.not.stringContaining('changed after the plan was made'),
    })
  })

  test('deletes what the catalog owns of a template that is in no file either', async () => {
    const desk = await catalogDesk(transport)
    await desk.applied()
    desk.remove('1-face', '2-action', '3-red', '4-coupon')
    desk.file('catalog/5-other.yaml', template('$publisher::Other::v1'))
    expect(await saved(desk, '--prune')).toBe(', including deleting 1 record')
    expect(rowsOf(await desk.json('apply', 'the.plan'), 'status')).toEqual([
      'created template local.vatom::Other::v1',
      `deleted variation ${red}`,
    ])
    expect(await desk.vatom('variation', 'get', red)).toMatchObject({ code: 1 })
    expect(await desk.vatom('apply', 'the.plan')).toMatchObject({ code: 0 })
  })

  test('a second time it finds nothing to do, and sends nothing', async () => {
    const desk = await catalogDesk(transport)
    await saved(desk)
    await desk.json('apply', 'the.plan')
    desk.changes()
    for (const _ of [1, 2]) {
      const rows = rowsOf(await desk.json('apply', 'the.plan'), 'status')
      expect(rows.filter((row) => !row.startsWith('unchanged '))).toEqual([])
    }
    expect(desk.changes()).toEqual([])
  })

  test('deletes what was reviewed', async () => {
    const desk = await catalogDesk(transport)
    await desk.applied()
    desk.remove('1-face', '3-red')
    await saved(desk, '--prune')
    expect(rowsOf(await desk.json('apply', 'the.plan'), 'status')).toEqual(
      expect.arrayContaining([`deleted variation ${red}`, `unchanged template ${coupon}`]),
    )
    expect(await desk.json('face', 'list', coupon)).toEqual([])
    desk.changes()
    expect(await desk.vatom('apply', 'the.plan')).toMatchObject({ code: 0 })
    expect(desk.changes()).toEqual([])
  })

  test('is refused before the first write, if a balance that shrank meanwhile does not cover its charges', async () => {
    const { json, file, changes, vatom } = await watchedDesk(transport, { balance: 150 })
    file('catalog/1.yaml', template(undefined, eth))
    file('catalog/2.yaml', template('$publisher::Free::v1'))
    await saved({ vatom, changes })
    file('other.yaml', template('$publisher::Other::v1', eth))
    await json('apply', 'other.yaml', '--yes', '--accept-charges')
    changes()
    const { code, err } = await vatom('apply', 'the.plan')
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/charges_uncovered(.|\n)*1 of 2 documents refused, so none was sent/),
    })
    expect(changes()).toEqual([])
    expect(await vatom('template', 'get', 'local.vatom::Free::v1')).toMatchObject({ code: 1 })
  })

  /** What somebody else does between planning and applying. */
  type Meddling = (desk: CatalogDesk) => Promise<unknown>
  const create =
    (document: string): Meddling =>
    async ({ json, file }) => {
      file('else.yaml', document)
      await json('apply', 'else.yaml', '--yes')
    }

  test.each<[string, string, Meddling]>([
    ['a template that is new', `template ${coupon} has changed`, create(template().replace('blue', 'green'))],
    ['a variation that is new', `variation ${red} has changed`, create([template(), variation()].join('---\n'))],
    [
      'a face that is new',
      `face ${coupon} icon, generic, high, native://image has changed`,
      create([template(), face().replace('gps: false', 'gps: true')].join('---\n')),
    ],
    [
      'an action that is new',
      `action ${transfer} has changed`,
      create([template(), action('Transfer', 'timeout: 9000\n')].join('---\n')),
    ],
  ])('created by somebody else meanwhile: %s', async (_, told, meddle) => {
    const desk = await catalogDesk(transport)
    await saved(desk)
    await meddle(desk)
    desk.changes()
    const { code, out, err } = await desk.run(['apply', 'the.plan', '--json'])
    expect({ code, error: JSON.parse(out).error.code }).toEqual({ code: 1, error: 'changed_meanwhile' })
    expect(err).toContain('The service has changed since the plan was made: ')
    expect(err).toContain(told)
    expect(err).toContain(
      'hint: nothing was sent; plan again: vatom plan catalog --out the.plan; in a pipeline, run all jobs of the newest commit again\n',
    )
    expect(desk.changes()).toEqual([])
  })

  test.each<[string, string, Meddling]>([
    ['a changed template', `template ${coupon} has changed`, create(template().replace('blue', 'red'))],
    ['a changed variation', `variation ${red} has changed`, create(variation().replace('color: red', 'color: pink'))],
    [
      'a changed face',
      `face ${coupon} icon, generic, high, native://image has changed`,
      create(face().replace('gps: false', 'gps: true')),
    ],
    ['a changed action', `action ${transfer} has changed`, create(action('Transfer', 'timeout: 9000\n'))],
    [
      'a published template',
      `template ${coupon} has changed`,
      ({ json }) => json('template', 'publish', coupon, '--confirm', coupon),
    ],
    ['a deleted variation', `variation ${red} is gone`, ({ json }) => json('variation', 'delete', red, '--yes')],
    ['a deleted action', `action ${transfer} is gone`, ({ json }) => json('action', 'delete', transfer, '--yes')],
    [
      'a deleted face',
      `face ${coupon} icon, generic, high, native://image is gone`,
      async ({ json }) => json('face', 'delete', String(at(await json('face', 'list', coupon), 0, 'id')), '--yes'),
    ],
  ])('meanwhile %s', async (_, told, meddle) => {
    const desk = await catalogDesk(transport)
    await desk.applied()
    desk.file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: green'))
    await saved(desk)
    await meddle(desk)
    desk.changes()
    const { code, err } = await desk.vatom('apply', 'the.plan')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(told) })
    expect(desk.changes()).toEqual([])
  })

  test.each<[string, string, Meddling]>([
    [
      'a draft variation to be deleted was changed',
      `variation ${red} has changed or is new`,
      create(variation().replace('color: red', 'color: pink')),
    ],
    [
      'an action to be deleted was changed',
      `action ${transfer} has changed or is new`,
      create(action('Transfer', 'timeout: 9000\n')),
    ],
    ['one is gone', `action ${transfer} is gone`, ({ json }) => json('action', 'delete', transfer, '--yes')],
  ])('of what is to be deleted, %s', async (_, told, meddle) => {
    const desk = await catalogDesk(transport)
    await desk.applied()
    desk.remove('2-action', '3-red')
    await saved(desk, '--prune')
    await meddle(desk)
    desk.changes()
    const { code, err } = await desk.vatom('apply', 'the.plan')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('has changed since') })
    expect(err).toContain(told)
    expect(desk.changes()).toEqual([])
  })

  test('what came after the plan is in no file either, but it is not deleted: only what was reviewed is', async () => {
    const desk = await catalogDesk(transport)
    await desk.applied()
    desk.remove('2-action', '3-red')
    await saved(desk, '--prune')
    await create(face(undefined, 'card'))(desk)
    expect(await desk.vatom('apply', 'the.plan')).toMatchObject({ code: 0 })
    expect(await desk.json('face', 'list', coupon)).toHaveLength(2)
    expect(await desk.json('variation', 'list')).toEqual([])
  })
})

test('a variation to be deleted that was published meanwhile stays', async () => {
  const desk = await catalogDesk()
  await desk.applied()
  desk.remove('3-red')
  await saved(desk, '--prune')
  await desk.json('template', 'publish', coupon, '--confirm', coupon)
  await desk.json('variation', 'publish', red, '--confirm', red)
  expect(await desk.vatom('apply', 'the.plan')).toMatchObject({
    code: 1,
    err: expect.stringContaining('has changed since'),
  })
  expect(await desk.json('variation', 'get', red)).toMatchObject({ properties: { unpublished: false } })
})

test('more charges than were reviewed are refused', async () => {
  const two = `${eth}    b: { type: uint, value: 1 }\n`
  const desk = await catalogDesk('local', two)
  await desk.applied('--accept-charges')
  desk.file(
    'catalog/4-coupon.yaml',
    template(undefined, two.replace('b: { type: uint, value: 1', 'b: { type: uint, value: 2')),
  )
  await saved(desk)
  // A variation with a section of its own follows its template's.
  desk.file('blue.yaml', variation(`${coupon}::Blue`, coupon, eth.replace('value: 1', 'value: 5')))
  await desk.json('variation', 'create', 'blue.yaml', '--accept-charges')
  desk.changes()
  const { code, err } = await desk.vatom('apply', 'the.plan')
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('since the plan was made: more chain writes are charged'),
  })
  expect(desk.changes()).toEqual([])
})

test('faces that stand beside the plan’s own are told', async () => {
  const desk = await catalogDesk()
  await desk.applied()
  expect((await desk.vatom('plan', 'catalog', '--out', 'the.plan')).err).toContain('There is nothing to carry out')
  await registerAnyway(desk, face())
  const { code, err } = await desk.vatom('apply', 'the.plan')
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('--prune deletes it') })
})

describe('a plan that is damaged', () => {
  const edit = (text: string) => text.replace('"blue"', '"pink"')
  test.each<[string, (text: string) => string]>([
    ['changed by hand', edit],
    ['changed in what it may do', (text) => text.replace('"deletions": []', '"deletions": [{}]')],
    ['cut off', (text) => text.slice(0, text.length / 2)],
    ['cut off at its end', (text) => text.slice(0, -3)],
    ['of a later version', (text) => text.replace('"vatom_plan": 4', '"vatom_plan": 5')],
    ['with a key of its own', (text) => text.replace('"vatom_plan": 4', '"vatom_plan": 4, "more": 1')],
  ])('%s is refused: exit 2', async (_, damage) => {
    const desk = await catalogDesk()
    await saved(desk)
    const path = join(desk.home, 'the.plan')
    const whole = readFileSync(path, 'utf8')
    expect(damage(whole)).not.toBe(whole)
    writeFileSync(path, damage(whole))
    const { code, out } = await desk.run(['apply', 'the.plan', '--yes', '--json'])
    expect({ code, error: JSON.parse(out).error }).toMatchObject({
      code: 2,
      error: {
        code: 'usage',
        message: expect.stringContaining('cut off, edited'),
        hint: 'plan again: vatom plan PATH --out the.plan',
      },
    })
    expect(desk.changes()).toEqual([])
    // Written another way it is the same.
    writeFileSync(path, JSON.stringify(JSON.parse(whole)))
    expect(await desk.vatom('apply', 'the.plan')).toMatchObject({ code: 0 })
  })
})

test.each([
  ['empty', '', 'it is empty'],
  ['a page', '<!DOCTYPE html>\n<title>404</title>\n', 'it is a page of HTML'],
  ['packed', gzipSync('{"vatom_plan": 4}'), 'it is no text, but perhaps packed'],
])('a plan that did not arrive is named as such: %s', async (_, content, why) => {
  const { file, vatom, changes } = await catalogDesk()
  file('the.plan', content)
  for (const words of [['apply'], ['plan', 'show'], ['preview', 'catalog', '--out', 'drawn', '--changed']])
    expect(await vatom(...words, 'the.plan')).toMatchObject({
      code: 2,
      err: expect.stringMatching(`^error: the.plan is not a saved plan: ${why}\nhint: see in a pipeline whether its`),
    })
  expect(changes()).toEqual([])
  // Not over what somebody else has put there.
  expect(await vatom('plan', 'catalog', '--out', 'the.plan')).toMatchObject({ code: 1 })
})

test('a plan that is missing is named as such, in a report as well', async () => {
  const { vatom, home, changes } = await catalogDesk()
  const error = 'the.plan does not exist'
  const hint = 'see in a pipeline whether its artifact was fetched and unpacked; or plan again: vatom plan PATH --out'
  for (const words of [['apply'], ['plan'], ['plan', 'show'], ['preview', 'catalog', '--out', 'drawn', '--changed']])
    expect(await vatom(...words, 'the.plan')).toMatchObject({
      code: 2,
      err: `error: ${error}\nhint: this folder has: catalog; ${hint} the.plan\n`,
    })
  expect(await vatom('apply', 'the.plan', '--junit', 'report.xml')).toMatchObject({ code: 2 })
  const report = readFileSync(join(home, 'report.xml'), 'utf8')
  expect(report).toContain('name="vatom apply"')
  expect(report).toContain(error)
  expect(report).not.toContain('template')
  expect(changes()).toEqual([])
})

test('a plan in a folder of its name, as pipelines unpack artifacts, is named', async () => {
  const desk = await catalogDesk()
  await saved(desk)
  mkdirSync(join(desk.home, 'artifact.plan'))
  const refused = async () => (await desk.vatom('apply', 'artifact.plan')).err
  expect(await refused()).toMatch(/contains no .*\n.*hint: name the folder of a catalog/)
  renameSync(join(desk.home, 'the.plan'), join(desk.home, 'artifact.plan/the.plan'))
  expect(await refused()).toContain('applied by itself: vatom apply artifact.plan/the.plan\n')
  expect(desk.changes()).toEqual([])
  expect(await desk.vatom('apply', 'artifact.plan/the.plan')).toMatchObject({ code: 0 })
})

test('commands for a plan whose name looks like an option lead to it', async () => {
  const desk = await catalogDesk()
  const { err } = await desk.vatom('plan', 'catalog', '--out=--yes.plan')
  expect(err).toContain('vatom apply ./--yes.plan')
  mkdirSync(join(desk.home, 'artifact'))
  renameSync(join(desk.home, '--yes.plan'), join(desk.home, 'artifact/--yes.plan'))
  const cwd = 'artifact'
  expect((await desk.run(['apply', '.'], { cwd })).err).toContain('applied by itself: vatom apply ./--yes.plan\n')
  expect((await desk.run(['plan', 'show', './--yes.plan'], { cwd })).err).toContain('vatom apply ./--yes.plan')
  expect(await desk.run(['apply', './--yes.plan'], { cwd })).toMatchObject({ code: 0 })
})

test('a plan is for its own service', async () => {
  const desk = await catalogDesk('network')
  await saved(desk)
  const { code, err } = await desk.vatom('--context', 'local', 'apply', 'the.plan')
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(/The plan was made for http:.* \(application local\), and this is local\n/),
  })
  const planned = await desk.vatom('--context', 'local', 'plan', 'the.plan')
  expect(planned.err).toMatch(/to carry it out: vatom apply the\.plan --context (?!local)\S+\n/)
  rmSync(join(desk.home, '.config'), { recursive: true, force: true })
  const elsewhere = { VATOM_BASE_URL: 'http://127.0.0.1:9', VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'x.y.z' }
  expect(await desk.run(['apply', 'the.plan'], { env: elsewhere })).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'choose its service: set VATOM_BASE_URL and VATOM_APP_ID to those of it; or plan again',
    ),
  })
  expect(desk.changes()).toEqual([])
})

test('a plan is applied by itself, without what it decided already', async () => {
  const desk = await catalogDesk()
  await saved(desk)
  for (const [args, told] of [
    [['the.plan', 'catalog'], 'name only the plan'],
    [['the.plan', '--prune'], '--prune cannot be added to a saved plan'],
    [['the.plan', '--dry-run'], '--dry-run cannot be used with a saved plan'],
  ] as const)
    expect(await desk.vatom('apply', ...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(told) })
  expect(desk.changes()).toEqual([])
  expect(await desk.vatom('apply', 'the.plan', '--yes')).toMatchObject({ code: 0 })
})

test('a plan is written whole, for whom the system lets read new files, or said not to be', async () => {
  const desk = await catalogDesk()
  await saved(desk)
  await saved(desk)
  expect(statSync(join(desk.home, 'the.plan')).mode & 0o777).toBe(0o666 & ~process.umask())
  expect(JSON.parse(readFileSync(join(desk.home, 'the.plan'), 'utf8'))).toMatchObject({
    vatom_plan: 4,
    content: { target: 'local', deletions: [] },
  })
  for (const other of ['catalog/1-face.yaml', 'catalog'])
    expect(await desk.vatom('plan', 'catalog', '--out', other)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`${other} exists and is not a saved plan; it was not replaced`),
    })
  const { code, err } = await desk.vatom('plan', 'catalog', '--out', 'catalog/1-face.yaml/the.plan')
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('face.yaml/the.plan cannot be written') })
})

const publishing = async ({ file }: CatalogDesk) => file('catalog/4-coupon.yaml', published(template()))

/** A desk with a saved plan, and a way to its service on which nothing comes after so many writes. */
async function cutOff(after: number, prepare: (desk: CatalogDesk) => Promise<unknown> = publishing) {
  let written = 0
  const desk = await catalogDesk('local', '', { clock: () => new Date(testClock().getTime() + written * 1000) })
  await prepare(desk)
  let left = after
  const interrupted = new AbortController()
  const { env } = await lossy(desk.service, ({ method }) => {
    if (method !== 'GET') written++
    if (method === 'GET' || left-- > 0) return 'answered'
    interrupted.abort()
    return 'unanswered'
  })
  const planned = await desk.run(['plan', 'catalog', '--out', 'the.plan'], { env })
  expect(planned.code).toBe(0)
  const first = await desk.run(['apply', 'the.plan', '--json'], { env, signal: interrupted.signal })
  const again = () => {
    left = Number.POSITIVE_INFINITY
    return desk.run(['apply', 'the.plan', '--json'], { env })
  }
  return { ...desk, first, again }
}

test.each([0, 1, 2, 3, 4])('cut off after %i writes, it is finished by the next run', async (after) => {
  const { first, again, json, kept } = await cutOff(after)
  expect(first.code).toBe(130)
  expect(first.err).toContain(
    'hint: to go on: vatom apply the.plan, which still holds on this machine unless somebody else changes the service; elsewhere, plan again; what is done is not done twice\n',
  )
  expect(kept()).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.jsonl$/)])
  const { code, err } = await again()
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('continue from there') })
  expect(await json('face', 'list', coupon)).toHaveLength(1)
  expect(await json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: false } })
  expect(kept()).toEqual([expect.stringMatching(/\.jsonl\.done$/)])
  expect(rowsOf(JSON.parse((await again()).out), 'status').every((row) => row.startsWith('unchanged '))).toBe(true)
})

test.each([0, 1, 2, 3])('cut off after %i changes, it is finished by the next run', async (after) => {
  const { first, again, json } = await cutOff(after, async ({ applied, file }) => {
    await applied()
    file('catalog/1-face.yaml', face().replace('gps: false', 'gps: true'))
    file('catalog/2-action.yaml', action('Transfer', 'timeout: 9000\n'))
    file('catalog/3-red.yaml', variation())
    file('catalog/4-coupon.yaml', template().replace('blue', 'green'))
  })
  expect(first.code).toBe(130)
  expect(await again()).toMatchObject({ code: 0, err: expect.stringContaining('continue from there') })
  expect(await json('plan', 'catalog')).toMatchObject({ summary: { unchanged: 4 } })
})

test('cut off, and changed by somebody else after that, it is refused', async () => {
  const { again, json, file } = await cutOff(2)
  file('else.yaml', template().replace('blue', 'pink'))
  await json('template', 'update', 'else.yaml')
  const { code, err } = await again()
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`template ${coupon} has changed`) })
})

test('cut off between two alike faces, it deletes the other one in the next run', async () => {
  const desk = await catalogDesk()
  desk.remove('1-face')
  await desk.applied()
  await registerAnyway(desk, face(), face())
  let left = 1
  const { env } = await lossy(desk.service, ({ method }) => (method === 'DELETE' && left-- <= 0 ? 'lost' : 'answered'))
  const plan = ['plan', 'catalog', '--prune-unowned', '--out', 'the.plan']
  expect(await desk.run(plan, { env })).toMatchObject({ code: 0 })
  expect(await desk.run(['apply', 'the.plan'], { env })).toMatchObject({ code: 6 })
  expect(await desk.json('face', 'list', coupon)).toHaveLength(1)
  left = 1
  expect(await desk.run(['apply', 'the.plan'], { env })).toMatchObject({ code: 0 })
  expect(await desk.json('face', 'list', coupon)).toEqual([])
})

test('a plan that was carried out in part does not create again what was deleted since', async () => {
  const desk = await catalogDesk()
  desk.file('catalog/5-other.yaml', template('$publisher::Other::v1'))
  let isRefusing = false
  const { env } = await lossy(desk.service, ({ method, url = '' }) =>
    isRefusing && method === 'POST' && url.includes('template_variations') ? { status: 409 } : 'answered',
  )
  expect(await desk.run(['plan', 'catalog', '--out', 'the.plan'], { env })).toMatchObject({ code: 0 })
  isRefusing = true
  expect(await desk.run(['apply', 'the.plan'], { env })).toMatchObject({ code: 6 })
  await desk.json('template', 'delete', 'local.vatom::Other::v1', '--yes')
  isRefusing = false
  const { code, out, err } = await desk.run(['apply', 'the.plan'], { env })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain('The service has changed since the plan was made: template local.vatom::Other::v1 is gone')
  expect(await desk.json('template', 'list')).toHaveLength(1)
})

describe('a plan that is older than what the service has', () => {
  /** An applied catalog whose template was changed in its file, a saved plan of it, and a clock that goes on by itself. */
  async function planned(catalog: (desk: CatalogDesk) => void, ...flags: string[]) {
    let now = testClock().getTime()
    const desk = await catalogDesk('local', '', { clock: () => new Date(now) })
    const later = () => {
      now += 60_000
    }
    await desk.applied()
    later()
    catalog(desk)
    await saved(desk, ...flags)
    later()
    /** What a machine without the records of this one says. */
    const elsewhere = () => rmSync(join(desk.home, '.local/share/vatom'), { recursive: true })
    const refused = async (text: string) => {
      desk.changes()
      const { code, err } = await desk.vatom('apply', 'the.plan')
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(text) })
      expect(err).toContain('hint: nothing was sent; plan again: vatom plan catalog')
      expect(desk.changes()).toEqual([])
    }
    return { ...desk, later, elsewhere, refused }
  }
  const green = ({ file }: CatalogDesk) => file('catalog/4-coupon.yaml', template().replace('blue', 'green'))
  const since = 'The service has changed since the plan was made: '

  test.each([
    ['on this machine', true],
    ['on another machine', false],
  ])('is not carried out a second time over a change there and back, %s', async (_, isHere) => {
    const { vatom, file, applied, later, elsewhere, refused } = await planned(green)
    expect(await vatom('apply', 'the.plan')).toMatchObject({ code: 0 })
    later()
    file('catalog/4-coupon.yaml', template())
    await applied()
    if (!isHere) elsewhere()
    await refused(`${since}template ${coupon} has changed, and changed back, last at 2026-03-01T12:03:00Z\n`)
  })

  test('is not carried out where a record that needs no change was changed there and back', async () => {
    const { file, json, later, refused } = await planned(green)
    file('else.yaml', variation().replace('color: red', 'color: pink'))
    await json('variation', 'update', 'else.yaml')
    later()
    file('else.yaml', variation().replace('title: Red coupon', 'title: Red\n    description: Red'))
    await json('variation', 'update', 'else.yaml')
    await refused(`${since}variation ${red} has changed, and changed back, last at 2026-03-01T12:03:00Z\n`)
  })

  test('does not delete again what was made anew after it', async () => {
    const { vatom, file, applied, later, elsewhere, refused } = await planned(
      ({ remove }) => remove('2-action'),
      '--prune',
    )
    expect(await vatom('apply', 'the.plan')).toMatchObject({ code: 0 })
    later()
    file('catalog/2-action.yaml', action())
    await applied()
    elsewhere()
    await refused(`${since}action ${transfer} has changed or is new, last at 2026-03-01T12:03:00Z\n`)
  })

  test.each([
    ['on this machine', true, 'native://image'],
    ['on another machine', false, 'native://image'],
    ['on another machine, with another address', false, 'native://layered-image'],
  ])('is not carried out where faces that it deleted alone were registered anew, %s', async (_, isHere, display) => {
    const { vatom, json, file, applied, later, elsewhere, refused } = await planned(
      ({ remove }) => remove('1-face'),
      '--prune',
    )
    const idOf = async () => String(at(await json('face', 'list', coupon), 0, 'id'))
    const before = await idOf()
    expect(await vatom('apply', 'the.plan')).toMatchObject({ code: 0 })
    if (!isHere) elsewhere()
    expect(await vatom('apply', 'the.plan')).toMatchObject({ code: 0, err: expect.stringContaining('3 unchanged') })
    later()
    file('catalog/1-face.yaml', face().replaceAll('native://image', display))
    await applied()
    if (!isHere) elsewhere()
    const name = `face ${coupon} icon, generic, high, native://image (${before})`
    await refused(`${since}${name} is gone, and was made anew as ${await idOf()}\n`)
  })

  test('does not create again what was deleted after it, as this machine knows', async () => {
    const blue = `${coupon}::Blue`
    const { vatom, json, file, later, refused } = await planned((desk) =>
      desk.file('catalog/5-blue.yaml', variation(blue)),
    )
    expect(await vatom('apply', 'the.plan')).toMatchObject({ code: 0 })
    expect(await vatom('apply', 'the.plan')).toMatchObject({ code: 0, err: expect.stringContaining('5 unchanged') })
    later()
    file('catalog/5-blue.yaml', '# nothing\n')
    await json('variation', 'delete', blue, '--yes')
    await refused(
      `The service has changed since the plan was carried out, at 2026-03-01T12:00:00.000Z: variation ${blue} is gone\n`,
    )
  })

  test('is read and carried out as an earlier version saved it', async () => {
    const { home, file, json } = await planned(({ remove, ...desk }) => {
      green({ ...desk, remove })
      remove('2-action')
    }, '--prune')
    const { content, ...head } = JSON.parse(readFileSync(join(home, 'the.plan'), 'utf8'))
    const without = ({ modified, ...one }: Record<string, unknown>) => one
    const { documents, deletions, ...more } = content
    const earlier = { ...more, documents: documents.map(without), deletions: deletions.map(without) }
    expect(digestOf(earlier)).not.toBe(head.digest)
    file('the.plan', JSON.stringify({ ...head, digest: digestOf(earlier), content: earlier }))
    const rows = rowsOf(await json('apply', 'the.plan'), 'status')
    expect(rows.filter((row) => !row.startsWith('unchanged '))).toEqual([
      `updated template ${coupon}`,
      `deleted action ${transfer}`,
    ])
  })
})

describe('plan show', () => {
  /** A desk with a saved plan that creates, changes, deletes, publishes and charges. */
  async function reviewed() {
    const desk = await catalogDesk()
    await desk.applied()
    desk.file('catalog/4-coupon.yaml', published(template(undefined, eth)).replace('color: blue', 'color: green'))
    desk.file('catalog/5-card.yaml', face(undefined, 'card'))
    desk.remove('2-action')
    const { out } = await desk.vatom('plan', 'catalog', '--prune', '--out', 'the.plan')
    return { ...desk, shown: out }
  }

  test('a plan that changes nothing does not say how to carry it out', async () => {
    const { vatom } = await reviewed()
    expect(await vatom('apply', 'the.plan')).toMatchObject({ code: 0 })
    const saved = await vatom('plan', 'catalog', '--out', 'none.plan')
    const shown = await vatom('plan', 'show', 'none.plan')
    for (const { code, err } of [saved, shown]) {
      expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('There is nothing to carry out') })
      expect(err).not.toContain('vatom apply')
    }
  })

  test('shows what was reviewed, without the service and whatever the files say by now', async () => {
    const { run, file, shown } = await reviewed()
    file('catalog/4-coupon.yaml', template())
    const env = { VATOM_BASE_URL: 'http://127.0.0.1:1', VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'y' }
    const { code, out, err } = await run(['plan', 'show', 'the.plan'], { env })
    expect({ code, out }).toEqual({ code: 0, out: shown })
    expect(out).toContain('vatom.private.color: "blue" -> "green"')
    expect(out).toContain('2 chain writes (1 contract, 1 field) will be charged')
    expect(err).toMatch(
      /^planned at 2026-03-01T12:00:00.000Z for local\nTo carry it out, .*: vatom apply the\.plan --context local\n$/,
    )
  })

  test('names the saved context of its service where the current one is another, as apply does', async () => {
    const { vatom } = await catalogDesk('network')
    await vatom('plan', 'catalog', '--out', 'the.plan')
    const { err: here } = await vatom('plan', 'show', 'the.plan')
    expect(here).toMatch(/: vatom apply the\.plan\n$/)
    await vatom('context', 'use', 'local')
    const { err: shown } = await vatom('plan', 'show', 'the.plan')
    const [, command = ''] = /: (vatom apply the\.plan --context \S+)\n$/.exec(shown) ?? []
    const { code, err } = await vatom('apply', 'the.plan')
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`${command}; or plan again`) })
    expect(await vatom(...command.split(' ').slice(1))).toMatchObject({ code: 0 })
  })

  test('--format markdown prints what plan --format markdown prints', async () => {
    const { vatom } = await reviewed()
    const { code, out } = await vatom('plan', 'show', 'the.plan', '--format', 'markdown')
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^### Plan for /) })
    expect(out).toContain('```diff')
  })

  test('--json has the rows of plan --json', async () => {
    const { json } = await reviewed()
    const plan = await json('plan', 'catalog', '--prune', '--out', 'same.plan')
    const shown = await json('plan', 'show', 'the.plan')
    expect(rowsOf(shown, 'status')).toEqual(rowsOf(plan, 'status'))
    expect(rowsOf(shown, 'action')).toEqual(rowsOf(plan, 'action'))
    expect(at(shown, 'summary')).toEqual(at(plan, 'summary'))
    expect(at(shown, 'chain_writes')).toEqual({ charged: 2, free: 0 })
  })

  test('--json says when the plan was made, and for which service', async () => {
    const { json, vatom } = await reviewed()
    const { when_planned, target } = (await json('plan', 'show', 'the.plan')) as Record<string, unknown>
    expect((await vatom('plan', 'show', 'the.plan')).err).toContain(`planned at ${when_planned} for ${target}\n`)
  })

  test.each([
    ['a catalog', ['catalog'], 1],
    ['a part of it', ['catalog/4-coupon.yaml'], 0],
  ])(
    'lists what is in no file, and faces for the same viewers, as the plan of %s did',
    async (_what, paths, duplicates) => {
      const desk = await catalogDesk()
      const { vatom, json, applied, remove, file } = desk
      await applied()
      file('unowned.yaml', face(undefined, 'fullscreen'))
      await json('face', 'register', 'unowned.yaml')
      await registerAnyway(desk, face().replace('gps: false', 'gps: true'))
      remove('2-action')
      const planned = await vatom('plan', ...paths, '--out', 'the.plan')
      const shown = await vatom('plan', 'show', 'the.plan')
      expect(shown.out).toBe(planned.out)
      expect(shown.out).toMatch(/in no file:\n(.*\n)* {2}\? face .* fullscreen/)
      const warned = (text: string) => text.split('\n').filter((line) => line.startsWith('warning'))
      expect(warned(shown.err)).toEqual(warned(planned.err))
      expect(warned(shown.err)).toHaveLength(duplicates)
      const { results, unlisted, summary } = (await json('plan', 'show', 'the.plan')) as Record<string, unknown>
      expect(await json('plan', ...paths)).toMatchObject({ results, unlisted, summary })
      expect(unlisted).not.toEqual([])
    },
  )

  test('refuses what only making a plan takes, wherever it stands', async () => {
    const { vatom } = await catalogDesk()
    for (const args of [
      ['plan', 'show', 'the.plan', '--prune', '--exit-code'],
      ['plan', '--prune', '--exit-code', 'show', 'the.plan'],
      ['plan', 'show', 'the.plan', '--out', 'other.plan'],
    ]) {
      const { code, out, err } = await vatom(...args)
      const flags = args.includes('--out') ? '--out' : '--prune, --exit-code'
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(`error: plan show does not take ${flags}\n`)
    }
  })

  test('what other commands are asked to show leads here', async () => {
    const { vatom } = await reviewed()
    for (const args of [
      ['plan', 'the.plan'],
      ['apply', '--show', 'the.plan'],
    ])
      expect(await vatom(...args)).toMatchObject({ code: 2, err: expect.stringContaining('vatom plan show the.plan') })
    expect(await vatom('plan', 'show', 'catalog')).toMatchObject({
      code: 2,
      err: expect.stringContaining('catalog is not a saved plan'),
    })
    expect(await vatom('plan', 'show', 'none.plan')).toMatchObject({
      code: 2,
      err: expect.stringContaining('none.plan does not exist'),
    })
  })
})

test('the hint for a saved plan that does not exist names those beside it', async () => {
  const { vatom, file } = await catalogDesk()
  file('reviewed/clock.plan', '')
  file('reviewed/harp.plan', '')
  expect((await vatom('apply', 'reviewed/missing.plan')).err).toMatch(
    /hint: reviewed has: clock\.plan, harp\.plan; see in/,
  )
  expect((await vatom('apply', 'reviewed/clok.plan')).err).toContain('did you mean reviewed/clock.plan?')
  expect((await vatom('apply', 'reviewed/missing.yaml')).err).not.toContain('.plan,')
})

test('a plan of another publisher is named as such, and nothing is sent', async () => {
  const { run, changes, ...desk } = await catalogDesk('network')
  await saved({ ...desk, changes })
  const { base_url } = Object(await desk.json('context', 'list')).find(({ current }: { current: boolean }) => current)
  const login = ['login', '--context', 'rival', '--base-url', base_url, '--app-id', 'local']
  const email = ['--email', 'publisher@rival.example', '--password-stdin']
  expect(await run([...login, ...email], { stdin: 'vatom-local\n' })).toMatchObject({ code: 0 })
  const { code, out, err } = await run(['apply', 'the.plan'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('The plan is of the publisher local.vatom, and you are signed in for rival.example\n')
  expect(err).not.toContain('is gone')
  expect(changes()).toEqual([])
})

test('a plan that cannot be made leaves no plan of an earlier run, and no other file goes', async () => {
  const desk = await catalogDesk()
  const names = () => readdirSync(desk.home).filter((name) => /plan|notes/.test(name))
  desk.file('notes', 'not a plan\n')
  expect(await desk.vatom('plan', 'catalog', '--out', 'the.plan')).toMatchObject({ code: 0 })
  desk.file('catalog/bad.yaml', 'template: [')
  expect(await desk.vatom('plan', 'catalog', '--out', 'notes')).toMatchObject({ code: 1 })
  expect(names()).toEqual(['notes', 'the.plan'])
  const failed = await desk.vatom('plan', 'catalog', '--out', 'the.plan')
  expect(failed).toMatchObject({
    code: 3,
    err: expect.stringContaining(
      'the earlier plan in the.plan was removed, so that nobody applies it in place of this one',
    ),
  })
  expect(names()).toEqual(['notes'])
  expect((await desk.vatom('plan', 'catalog', '--out', 'the.plan')).err).not.toContain('earlier plan')
  expect(await desk.vatom('apply', 'the.plan')).toMatchObject({ code: 2 })
})

test.each([
  ['a value', '--max-warnings', 'x'],
  ['a value of every command', '--timeout', 'x'],
  ['an unknown option', '--bogus'],
  ['a value without a choice', '--format', 'nope'],
  ['two options', '--json', '--format', 'github'],
])('%s that is refused leaves no plan of an earlier run', async (_, ...wrong) => {
  const desk = await catalogDesk()
  for (const out of [['--out', 'the.plan'], ['--out=the.plan']]) {
    expect(await desk.vatom('plan', 'catalog', '--out', 'the.plan')).toMatchObject({ code: 0 })
    expect(await desk.vatom('plan', 'show', 'the.plan', ...wrong)).toMatchObject({ code: 2 })
    expect(await desk.vatom('plan', 'the.plan', ...out)).toMatchObject({ code: 2 })
    expect(await desk.vatom('plan', 'catalog', ...out, '--help')).toMatchObject({ code: 0 })
    expect(readdirSync(desk.home)).toContain('the.plan')
    const refused = await desk.vatom('plan', 'catalog', ...out, ...wrong)
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('the earlier plan in the.plan was removed') })
    expect(readdirSync(desk.home)).not.toContain('the.plan')
  }
})

test.each([
  ['a report that would replace another file', ['catalog', '--junit', 'catalog/4-coupon.yaml'], 1],
  ['a report to standard output', ['catalog', '--junit', '-'], 2],
  ['a folder that is no catalog', [], 2],
])('%s leaves no plan of an earlier run', async (_, words, code) => {
  const { home, vatom } = await catalogDesk()
  expect(await vatom('plan', 'catalog', '--out', 'the.plan')).toMatchObject({ code: 0 })
  expect(await vatom('plan', ...words, '--out', 'the.plan')).toMatchObject({
    code,
    err: expect.stringContaining('the earlier plan in the.plan was removed'),
  })
  expect(readdirSync(home)).not.toContain('the.plan')
})

describe('outputs that are one file, or a file of the catalog', () => {
  test.each([
    ['one name', 'the.plan', 'the.plan'],
    ['two spellings', 'the.plan', 'catalog/../the.plan'],
    ['a link to the other', 'the.plan', 'link.xml'],
    ['a link to its folder', 'catalog/the.plan', 'here/catalog/the.plan'],
  ])('are refused before anything is written, with the plan of an earlier run gone: %s', async (_, out, junit) => {
    const { home, vatom } = await catalogDesk()
    symlinkSync('the.plan', join(home, 'link.xml'))
    symlinkSync('.', join(home, 'here'))
    await vatom('plan', 'catalog', '--out', out)
    for (const more of [[], ['--bogus']])
      expect(await vatom('plan', 'catalog', '--out', out, '--junit', junit, ...more)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining(
          more.length > 0
            ? '--bogus'
            : `error: --out ${out} and --junit ${junit} are the same file\nhint: nothing was written; name two files: `,
        ),
      })
    expect([out, junit].filter((file) => existsSync(join(home, file)))).toEqual([])
  })

  test('such as a document are refused before the service is asked, and stay as they are', async () => {
    const { home, vatom, changes } = await catalogDesk()
    const file = join(home, 'catalog/4-coupon.yaml')
    const before = readFileSync(file, 'utf8')
    for (const given of ['catalog', 'catalog/4-coupon.yaml']) {
      const { code, out, err } = await vatom('plan', given, '--out', 'catalog/4-coupon.yaml', '--junit', 'report.xml')
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toMatch(/^error: catalog\/4-coupon\.yaml exists and is not a saved plan; it was not replaced$/m)
    }
    expect(readFileSync(join(home, 'report.xml'), 'utf8')).toContain('is not a saved plan; it was not replaced')
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(changes()).toEqual([])
  })

  test.each([
    ['plan', '--out'],
    ['plan', '--junit'],
    ['apply', '--junit'],
  ])('such as a vatom.yaml that is not there are not written: %s %s', async (command, option) => {
    const { home, vatom } = await catalogDesk()
    expect(await vatom(command, 'catalog', option, 'catalog/vatom.yaml')).toMatchObject({
      code: 2,
      err: expect.stringContaining('catalog/vatom.yaml describes a catalog, and is not written'),
    })
    expect(existsSync(join(home, 'catalog/vatom.yaml'))).toBe(false)
  })

  test('such as the plan that is given stay, also by another name', async () => {
    const { home, vatom } = await catalogDesk()
    await vatom('plan', 'catalog', '--out', 'the.plan')
    symlinkSync('the.plan', join(home, 'link.plan'))
    expect(await vatom('plan', 'link.plan', '--out', 'the.plan')).toMatchObject({
      code: 2,
      err: expect.stringContaining('link.plan is a saved plan'),
    })
    expect(existsSync(join(home, 'the.plan'))).toBe(true)
  })
})

test.each([
  ['whole', 24, true],
  ['as far as a comment has room', 40, false],
])(
  'the Markdown of a long plan shows what is final %s; what it leaves out is in the log',
  async (_, length, isWhole) => {
    const desk = await catalogDesk()
    const name = (index: number) => `local.vatom::Coupon::v1::${'Long'.repeat(length)}${index}`
    const many = Array.from({ length: 200 }, (_, index) => variation(name(index), undefined, 'unpublished: false\n'))
    desk.file('catalog/4-coupon.yaml', published(template()))
    desk.file('catalog/many.yaml', many.join('---\n'))
    const { code, out, err } = await desk.vatom('plan', 'catalog', '--out', 'the.plan', '--format', 'markdown')
    expect(code).toBe(0)
    expect(out).toMatch(/and \d+ more lines: see the log\./)
    expect(out.length).toBeLessThan(65_536)
    expect(out.includes(`publish variation ${name(199)}`)).toBe(isWhole)
    for (const sign of ['+', '! publish']) expect(err).toContain(`  ${sign} variation ${name(199)}`)
    expect((await desk.vatom('plan', 'catalog/4-coupon.yaml', '--format', 'markdown')).err).not.toContain('Plan for')
  },
)

test.each([['apply', '--yes'], ['plan'], ['validate']])(
  'a saved plan on standard input is named by %s',
  async (...words) => {
    const { vatom, run, home } = await catalogDesk()
    await vatom('plan', 'catalog', '--out', 'one.plan')
    const stdin = readFileSync(join(home, 'one.plan'))
    const [command = '', ...more] = words
    const { code, err } = await run([command, '-', ...more], { stdin })
    expect({ code, errors: err.match(/^error/gm) }).toEqual({ code: 3, errors: ['error'] })
    expect(err).toContain('<stdin>: is a saved plan, which is given as a file: vatom apply FILE')
  },
)

test('plan show advises to save a plan in the file that is missing, and not over one that is something else', async () => {
  const { vatom, file } = await catalogDesk()
  file('shop.yaml', template())
  const hint = 'hint: save one: vatom plan PATH --out'
  expect(await vatom('plan', 'show', 'shop.yaml')).toMatchObject({
    code: 2,
    err: `error: shop.yaml is not a saved plan\n${hint} FILE\n`,
  })
  expect(await vatom('plan', 'show', 'no.json')).toMatchObject({
    code: 2,
    err: `error: no.json does not exist\n${hint} no.json\n`,
  })
})

test.each([['apply', '--yes'], ['plan'], ['validate']])(
  'of a folder in which only a saved plan is, %s names the command that carries it out',
  async (command = '', ...more) => {
    const { vatom, home } = await catalogDesk()
    await vatom('plan', 'catalog', '--out', 'one.json')
    mkdirSync(join(home, 'plans'))
    renameSync(join(home, 'one.json'), join(home, 'plans/one.json'))
    const { code, err } = await vatom(command, 'plans', ...more)
    expect(code).toBe(3)
    expect(err).toContain('is a saved plan, and no document')
    expect(err).toContain(
      'hint: to carry it out: vatom apply plans/one.json; to read it: vatom plan show plans/one.json\n',
    )
  },
)
