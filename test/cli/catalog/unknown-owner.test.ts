import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { face, template, variation } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

const says =
  '--prune deletes nothing that this catalog had: it has no name, and this machine has not recorded what it owns'

/** A catalog without a name that was applied, and lost a variation then; and other machines, on which nothing was. */
async function shrunk() {
  const desk = await publisher()
  desk.file('shop/coupon.yaml', `${template()}---\n${face()}`)
  const removed = desk.file('shop/red.yaml', variation())
  await desk.json('apply', 'shop', '--yes')
  rmSync(join(desk.home, removed))
  let machines = 0
  const elsewhere = (...words: string[]) => desk.run(words, { env: { VATOM_DATA_DIR: `machine-${++machines}` } })
  return { ...desk, elsewhere }
}

describe('--prune of a catalog without a name', () => {
  test('warns in each format where this machine has not applied it, and says what to do', async () => {
    const { elsewhere } = await shrunk()
    const { code, err } = await elsewhere('apply', 'shop', '--prune', '--yes')
    expect(code).toBe(0)
    expect(err).toContain(`warning[catalog-unnamed]: ${says}\n --> shop/vatom.yaml\n`)
    expect(err).toContain('hint: write "catalog: NAME" into shop/vatom.yaml')
    for (const words of [['plan'], ['apply', '--yes']]) {
      const run = (...more: string[]) => elsewhere(...words, 'shop', '--prune', ...more)
      expect(JSON.parse((await run('--json')).out).warnings).toMatchObject([{ rule: 'catalog-unnamed', message: says }])
      expect((await run('--format', 'github')).out).toContain('::warning file=shop/vatom.yaml')
      expect(await run('--max-warnings', '0')).toMatchObject({
        code: 3,
        err: expect.stringContaining('1 warning, more'),
      })
    }
  })

  test('of a folder that was applied under a name and lost it, plan and apply say how to get that back, and validate and named folders nothing', async () => {
    const { vatom, file, home } = await publisher()
    file('shop/coupon.yaml', `${template()}---\n${face()}`)
    file('shop/vatom.yaml', 'catalog: tea-shop\n')
    expect(await vatom('apply', 'shop', '--yes')).toMatchObject({ code: 0 })
    expect((await vatom('plan', 'shop')).out).not.toContain('restore')
    rmSync(join(home, 'shop/vatom.yaml'))
    const written = 'write "catalog: tea-shop" into a new one there'
    const unversioned = (await vatom('plan', 'shop')).out
    expect(unversioned).toContain(`if this is the catalog tea-shop and its vatom.yaml was lost, ${written}\n`)
    expect(unversioned).not.toContain('git')
    mkdirSync(join(home, '.git'))
    const remedy = `if this is the catalog tea-shop and its vatom.yaml was lost, restore that: git -C ${join(home, 'shop')} restore vatom.yaml; or ${written}`
    expect((await vatom('plan', 'shop')).out).toContain(`  ${join(home, 'shop')} has no name: ${remedy}\n`)
    const refused = await vatom('apply', 'shop', '--yes', '--prune')
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining(`has no name: ${remedy}\n`) })
    expect(refused.err).toContain(`= hint: ${remedy}; else write "catalog: NAME"`)
    expect((await vatom('validate', 'shop')).err).not.toContain('tea-shop')
    file('shop/vatom.yaml', 'catalog: tea-shop\n')
    expect((await vatom('plan', 'shop')).out).not.toContain('take over')
  })

  test('does not warn on the machine that applied it, nor once it has a name', async () => {
    const { vatom, elsewhere, file } = await shrunk()
    const { out, err } = await vatom('plan', 'shop', '--prune')
    expect(out).toContain('- variation')
    expect(err).not.toContain(says)
    file('shop/vatom.yaml', 'catalog: shop\n')
    file('shop/red.yaml', variation())
    expect((await elsewhere('apply', 'shop', '--prune', '--yes')).err).not.toContain(says)
  })

  test('says whose records are meant, beside a catalog of which something is deleted', async () => {
    const { home, file, json, elsewhere } = await shrunk()
    file('tea/vatom.yaml', 'catalog: tea\n')
    file('tea/tea.yaml', template('$publisher::Tea::v1'))
    const removed = file('tea/green.yaml', variation('$publisher::Tea::v1::Green'))
    await json('apply', 'tea', '--yes')
    rmSync(join(home, removed))
    const { out, err } = await elsewhere('plan', 'tea', 'shop', '--prune')
    expect(out).toContain('- variation local.vatom::Tea::v1::Green')
    expect(err).toContain(`${says}\n --> shop/vatom.yaml\n`)
  })

  test('is a warning of its saved plan, too', async () => {
    const { elsewhere } = await shrunk()
    await elsewhere('plan', 'shop', '--prune', '--out', 'saved.plan')
    expect((await elsewhere('apply', 'saved.plan')).err).toContain(says)
  })
})
