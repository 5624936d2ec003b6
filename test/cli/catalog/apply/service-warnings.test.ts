import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalogDesk } from '../../../fixtures/catalog.ts'
import { coupon, face, template, variation } from '../../../fixtures/yaml.ts'
import { transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const broken = `face ${coupon} icon, generic, high, native://image: the template has no resource CardImage`
const renamed = template().replace('name: CardImage', 'name: Other')

/** A catalog that the service has, and a file that takes the resource away that a face of it shows. */
async function breaking(transport?: (typeof transports)[number]) {
  const desk = await catalogDesk(transport)
  await desk.applied()
  desk.file('one.yaml', renamed)
  return desk
}

test.each(transports)(
  'what the service warns of is a problem of the document that it is about on the %s transport',
  async (transport) => {
    const { run, file, home, changes } = await breaking(transport)
    const problem = {
      file: 'one.yaml',
      line: 1,
      column: 11,
      rule: 'face-resource',
      severity: 'warning',
      message: broken,
    }
    for (const words of [['apply', '--dry-run'], ['plan'], ['apply', '--yes']]) {
      const { code, out } = await run([...words, 'one.yaml', '--json', '--junit', 'report.xml', '--max-warnings', '1'])
      expect({ code, result: JSON.parse(out) }).toMatchObject({
        code: 0,
        result: { results: [{ problems: [problem] }] },
      })
      expect(readFileSync(join(home, 'report.xml'), 'utf8')).toContain(`the template has no resource CardImage`)
      if (!words.includes('--yes')) expect(changes()).toEqual([])
    }
    file('one.yaml', renamed.replace('name: Other', 'name: Another'))
    for (const [format, shown] of [
      ['github', /^::warning file=one\.yaml,line=1,[^\n]*title=face-resource::face /m],
      ['gitlab', /"check_name": ?"face-resource"/],
      ['sarif', /"ruleId": ?"face-resource"/],
      ['markdown', /one\.yaml:1:11: warning\[face-resource\]: face /],
    ] as const) {
      const planned = await run(['plan', 'one.yaml', '--format', format])
      expect(planned).toMatchObject({ code: 0, out: expect.stringMatching(shown) })
      expect(planned.err.split(broken)).toHaveLength(2)
    }
    const applied = await run(['apply', 'one.yaml', '--yes', '--format', 'github'])
    expect(applied).toMatchObject({ code: 0, out: expect.stringMatching(/^::warning file=one\.yaml,line=1,/m) })
    expect(applied.err.split(broken)).toHaveLength(2)
  },
)

test('--max-warnings counts it, and nothing is sent or saved', async () => {
  const { run, home, changes } = await breaking()
  const error = { code: 'too_many_warnings', message: '1 warning, more than --max-warnings 0; nothing was sent' }
  for (const [words, status] of [
    [['plan', 'one.yaml', '--out', 'the.plan'], 'updated'],
    [['apply', 'one.yaml', '--yes'], 'not_sent'],
  ] as const) {
    const { code, out } = await run([...words, '--max-warnings', '0', '--json', '--junit', 'report.xml'])
    expect({ code, result: JSON.parse(out) }).toMatchObject({ code: 3, result: { results: [{ status }], error } })
    expect(JSON.parse(out).error.issues).toMatchObject([{ file: 'one.yaml', rule: 'face-resource' }])
    const report = readFileSync(join(home, 'report.xml'), 'utf8')
    expect(report).toMatch(/<testsuites[^>]* failures="1"/)
    expect(report).toContain('more than --max-warnings 0')
    const text = await run([...words, '--max-warnings', '0'])
    expect(text).toMatchObject({ code: 3, err: expect.stringContaining(`error: ${error.message}\n`) })
    expect(text.err.split('more than --max-warnings')).toHaveLength(2)
  }
  expect(existsSync(join(home, 'the.plan'))).toBe(false)
  expect(await run(['plan', 'one.yaml', '--out', 'the.plan'])).toMatchObject({ code: 0 })
  expect(await run(['apply', 'the.plan', '--max-warnings', '0'])).toMatchObject({ code: 3 })
  expect(changes()).toEqual([])
  expect(await run(['apply', 'the.plan', '--max-warnings', '1'])).toMatchObject({ code: 0 })
})

test('warnings of a saved plan are shown with it, and those who apply it can refuse them', async () => {
  const { run, file, home, changes, vatom } = await catalogDesk()
  file('catalog/1-face.yaml', face().replaceAll('native://image', 'native://own'))
  const planned = await run(['plan', 'catalog', '--out', 'the.plan', '--json'])
  expect(planned.code).toBe(0)
  const warnings = (out: string) => JSON.parse(out).results.flatMap(({ problems }: { problems: unknown[] }) => problems)
  expect(warnings(planned.out)).toMatchObject([{ file: 'catalog/1-face.yaml', rule: 'native-face' }])
  file('catalog/1-face.yaml', face())

  const shown = await run(['plan', 'show', 'the.plan', '--json'])
  expect(warnings(shown.out)).toEqual(warnings(planned.out))
  expect(shown.err.split('warning[native-face]')).toHaveLength(2)
  const github = /^::warning file=catalog\/1-face\.yaml,line=\d+,[^\n]*title=native-face::/m
  expect((await run(['plan', 'show', 'the.plan', '--format', 'github'])).out).toMatch(github)

  const limit = ['the.plan', '--max-warnings', '0']
  expect(await vatom('plan', 'show', ...limit)).toMatchObject({ code: 3 })
  const refused = await run(['apply', ...limit, '--json', '--junit', 'report.xml'])
  expect({ code: refused.code, result: JSON.parse(refused.out) }).toMatchObject({
    code: 3,
    result: {
      error: { code: 'too_many_warnings', message: '1 warning, more than --max-warnings 0; nothing was sent' },
    },
  })
  expect(readFileSync(join(home, 'report.xml'), 'utf8')).toContain('more than --max-warnings 0')
  expect(changes()).toEqual([])

  const applied = await run(['apply', 'the.plan', '--max-warnings', '1', '--format', 'github'])
  expect(applied).toMatchObject({ code: 0, out: expect.stringMatching(github) })
  expect(applied.err.split('warning[native-face]')).toHaveLength(2)
})

test('nothing is warned of that the same run mends: a face that it changes or deletes', async () => {
  const { run, file, remove, applied } = await catalogDesk()
  await applied()
  const quiet = async (...words: string[]) => {
    for (const command of ['plan', 'apply']) {
      const yes = command === 'apply' ? ['--yes'] : []
      const { code, out, err } = await run([command, 'catalog', ...words, ...yes, '--max-warnings', '0', '--json'])
      expect(code).toBe(0)
      expect(JSON.parse(out).results.flatMap(({ problems }: { problems: unknown[] }) => problems)).toEqual([])
      expect(err).not.toContain('has no resource')
    }
  }
  file('catalog/4-coupon.yaml', renamed)
  file('catalog/1-face.yaml', face().replace('[CardImage]', '[Other]'))
  await quiet()
  file('catalog/4-coupon.yaml', `# vatom-ignore-file no-face\n${template()}`)
  remove('1-face')
  await quiet('--prune')
})

test('nothing is warned of that a comment switches off, although the service warns of it', async () => {
  const { run, file } = await catalogDesk()
  const own = face()
    .replace('display_url: native://image', 'display_url: native://own')
    .replace('package_url: native://image', 'package_url: native://own')
  file('catalog/1-face.yaml', own)
  expect(await run(['plan', 'catalog', '--max-warnings', '0'])).toMatchObject({ code: 3 })
  file('catalog/1-face.yaml', `# vatom-ignore-file native-face\n${own}`)
  expect(await run(['plan', 'catalog', '--max-warnings', '0'])).toMatchObject({ code: 0 })
  const { code, err } = await run(['apply', 'catalog', '--yes', '--max-warnings', '0'])
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('warning') })
})

test('a template without a face counts alike for validate, plan and apply', async () => {
  const { run, file } = await publisher()
  file('catalog/coupon.yaml', template())
  for (const words of [['validate'], ['plan'], ['apply', '--yes']])
    for (const [most, code] of [
      ['0', 3],
      ['1', 0],
    ] as const) {
      const found = await run([...words, 'catalog', '--max-warnings', most])
      expect(found).toMatchObject({ code, err: expect.stringContaining('warning[no-face]: the template has no face') })
    }
})

const missingChildren = [
  [`${coupon}::None`, 'child-missing', 'is named local.vatom::Coupon::v1::None'],
  ['rival.example::Tea::v1::None', 'child-publisher', 'rival.example::Tea::v1::None is of another publisher'],
] as const

test.each(transports.flatMap((transport) => missingChildren.map((one) => [transport, ...one] as const)))(
  'on the %s transport, the child %s, which exists nowhere, is named once, where it stands, as %s',
  async (transport, name, rule, message) => {
    const { file, vatom, json } = await publisher({ transport })
    const box = 'local.vatom::Box::v1'
    const root = 'root_type: vAtom::vAtomType::DefinedFolderContainerType'
    const child = `child_policy: [{ count: 1, template_variation: ${name} }]`
    file('boxes/vatom.yaml', 'catalog: boxes\n')
    file('boxes/box.yaml', template(box).replace('root_type: vAtom::vAtomType', `${root}\n    ${child}`))
    file('boxes/red.yaml', variation(`${box}::Red`, box))
    const reports = await json('plan', 'boxes')
    expect(JSON.stringify(reports).split(message)).toHaveLength(2)
    for (const words of [['plan'], ['apply', '--yes']]) {
      const { code, err } = await vatom(...words, 'boxes')
      expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining(`warning[${rule}]`) })
      expect(err).not.toContain('missing-variation')
    }
  },
)

test('an action whose reactor has no handler is warned of where it stands, until the handler is registered', async () => {
  const { file, vatom } = await publisher()
  file('coupon/coupon.yaml', template())
  file('coupon/face.yaml', face())
  file('coupon/stamp.yaml', 'name: $publisher::Coupon::v1::Action::Stamp\nreactor: acme://stamp\n')
  const warned =
    /warning\[missing-handler\]: no handler is registered for acme:\/\/stamp[^\n]*\n --> coupon\/stamp\.yaml:2:10\n/
  for (const words of [['plan'], ['apply', '--dry-run']]) {
    const { code, err } = await vatom(...words, 'coupon')
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(warned) })
    expect(err.split('no handler')).toHaveLength(2)
  }
  await vatom('action', 'handler', 'register', '--reactor', 'acme://stamp', '--url', 'http://127.0.0.1:9000/')
  for (const words of [['plan'], ['apply', '--yes']]) {
    const { code, err } = await vatom(...words, 'coupon')
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('handler') })
  }
})
