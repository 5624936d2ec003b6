import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { action, face, template, variation } from '../../fixtures/yaml.ts'
import { transports } from '../../support/desks.ts'
import { publisher } from '../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('validate checks without sending', async () => {
    const { file, vatom, json } = await publisher({ transport })
    file('coupon.yaml', template())
    expect(await vatom('template', 'validate', 'coupon.yaml')).toEqual({
      code: 0,
      out: `valid template ${name} (coupon.yaml)\n`,
      err: '',
    })
    file('bad.yaml', template().replace('title:', 'titel:'))
    expect(await vatom('template', 'validate', 'bad.yaml')).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('bad.yaml:6:5'),
    })
    expect(await json('template', 'list')).toEqual([])
  })
})

describe('validate of a whole catalog', () => {
  const catalog = async () => {
    const desk = await publisher()
    desk.file('c/action.yaml', action())
    desk.file('c/coupon.yaml', template())
    desk.file('c/face.yaml', face())
    desk.file('c/red.yaml', variation())
    return desk
  }

  test('does not parse files again in which an earlier run found no problem', async () => {
    const { run, home, file } = await catalog()
    file('c/coupon.yaml', template().replace('    title', '    description: D\n    title'))
    const validate = () => run(['validate', 'c'], { build: 'b' })
    const first = await validate()
    expect(first).toMatchObject({ code: 0, err: '' })
    const folder = join(home, '.cache/vatom/documents')
    for (const shard of readdirSync(folder).map((one) => join(folder, one)))
      writeFileSync(shard, readFileSync(shard, 'utf8').replaceAll(/local\.vatom::(\w+)::v1/g, 'cached::$1'))
    expect((await validate()).out).toBe(first.out.replaceAll(/local\.vatom::(\w+)::v1/g, 'cached::$1'))
    file('c/red.yaml', variation().replace('color:', 'colour:'))
    expect(await validate()).toMatchObject({ code: 3, err: expect.stringContaining('c/red.yaml') })
  })

  test('--fix corrects documents of every kind', async () => {
    const { run, home, file } = await catalog()
    file('c/coupon.yaml', template().replace('unpublished: true', 'unpublished: yes'))
    file('c/action.yaml', action('Transfer', 'wait: no\n'))
    const { code, err } = await run(['validate', 'c', '--fix', '--dry-run'])
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('would fix[yaml-boolean] c/action.yaml:3:7'),
    })
    expect(readFileSync(join(home, 'c/action.yaml'), 'utf8')).toContain('wait: no')
    const fixed = JSON.parse((await run(['validate', 'c', '--fix', '--json'])).out)
    expect(fixed).toMatchObject({ summary: { failed: 0, total: 4 }, fixed: [{ after: 'false' }, { after: 'true' }] })
    expect(readFileSync(join(home, 'c/action.yaml'), 'utf8')).toContain('wait: false')
    expect(readFileSync(join(home, 'c/coupon.yaml'), 'utf8')).toContain('unpublished: true')
  })

  test('--dry-run is refused without --fix', async () => {
    const { run } = await catalog()
    expect(await run(['validate', 'c', '--dry-run'])).toMatchObject({ code: 2, out: '' })
  })
})

describe('a file that does not exist', () => {
  test.each([
    ['cofee.yaml', 'coffee.yaml'],
    ['coffee', 'coffee.yaml'],
    ['coffee.yml', 'coffee.yaml'],
    ['catalgo/tea.yaml', 'catalog'],
    ['catalog/teas.yaml', 'catalog/tea.yaml'],
  ])('%s is named with the one that may be meant', async (given, meant) => {
    const { vatom, file } = await publisher()
    file('coffee.yaml', template())
    file('catalog/tea.yaml', template())
    for (const words of [['validate'], ['template', 'create'], ['apply']])
      expect(await vatom(...words, given)).toEqual({
        code: 3,
        out: '',
        err: expect.stringMatching(`^error: ${given}: no such file or folder.*\nhint: did you mean ${meant}\\?\n$`),
      })
  })

  test('several are listed; beside an invalid document they are problems as it is', async () => {
    const { vatom, json, file } = await publisher()
    file('bad.yaml', 'x: [')
    expect((await vatom('validate', 'a.yaml', 'b.yaml')).err).toBe(
      'error: 2 inputs cannot be read\n  a.yaml: no such file or folder; did you mean bad.yaml?\n  b.yaml: no such file or folder; did you mean bad.yaml?\n',
    )
    expect((await vatom('validate', 'zz.yaml', 'bad.yaml')).err).toMatch(
      /error\[input].*\n.*zz.yaml[\s\S]*2 errors in 2 files/,
    )
    expect(await json('validate', 'none').catch((error: unknown) => String(error))).toContain('none: no such file')
  })
})
