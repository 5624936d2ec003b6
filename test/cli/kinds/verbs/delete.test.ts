import { describe, expect, test } from 'vitest'
import { template } from '../../../fixtures/yaml.ts'
import { draftedTemplate, stocked, transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('template delete wants --yes and removes a draft', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    expect(await vatom('template', 'delete', name)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    expect(await vatom('template', 'delete', name, '--yes')).toMatchObject({ code: 0 })
    expect(await json('template', 'list')).toEqual([])
  })

  test('a published template is not deleted: one clear sentence, exit 1', async () => {
    const { vatom } = await stocked(transport)
    const { code, err } = await vatom('template', 'delete', name, '--yes')
    expect(code).toBe(1)
    expect(err).toMatch(/error: .*published.*\n/)
    expect(err).toContain(`hint: make the next version: vatom template bump '${name}' PATH\n`)
  })

  describe('template delete', () => {
    test('takes several names, each once, and says what became of each: exit 6', async () => {
      const { file, run, json, changes } = await draftedTemplate(transport)
      file('other.yaml', template('$publisher::Other::v1'))
      await json('template', 'create', 'other.yaml')
      changes()
      const names = ['$publisher::Coupon::v1', 'local.vatom::No::v1', '$publisher::Other::v1', name]
      const { code, out, err } = await run(['template', 'delete', ...names, '--yes', '--json'])
      expect(code).toBe(6)
      expect(JSON.parse(out)).toEqual({
        results: [
          { file: null, kind: 'template', name, status: 'deleted', message: expect.any(String), problems: [] },
          expect.objectContaining({ name: 'local.vatom::No::v1', status: 'refused' }),
          expect.objectContaining({ name: 'local.vatom::Other::v1', status: 'deleted' }),
        ],
        summary: { total: 3, ok: 2, failed: 1 },
        error: expect.objectContaining({ code: 'partly_done' }),
      })
      expect(err).toContain('vatom template list')
      expect(await json('template', 'list')).toEqual([])
    })

    test('without an answer deletes nothing: exit 2', async () => {
      const { file, json, vatom, changes } = await draftedTemplate(transport)
      file('other.yaml', template('$publisher::Other::v1'))
      await json('template', 'create', 'other.yaml')
      changes()
      expect(await vatom('template', 'delete', name, '$publisher::Other::v1')).toMatchObject({
        code: 2,
        err: expect.stringMatching(/Delete 2 templates[\s\S]*--yes/),
      })
      expect(changes()).toEqual([])
    })

    test('looks before it asks: a name that does not exist, or a published one, is refused without a question', async () => {
      const { vatom } = await stocked(transport)
      for (const [given, reason] of [
        ['local.vatom::No::v1', 'no template is named'],
        [name, 'published'],
      ] as const) {
        const { code, out, err } = await vatom('template', 'delete', given)
        expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(reason) })
        expect(err).not.toMatch(/--yes|Delete template/)
      }
    })

    test('asks only about what can be deleted, and reports the rest', async () => {
      const { run, json } = await draftedTemplate(transport)
      const answers = { [`Delete template ${name} with its faces and actions?`]: 'y' }
      const { code, err } = await run(['template', 'delete', 'local.vatom::No::v1', name], { tty: true, answers })
      expect({ code, err }).toEqual({
        code: 6,
        err: expect.stringContaining('no template is named local.vatom::No::v1'),
      })
      expect(await json('template', 'list')).toEqual([])
    })
  })
})
