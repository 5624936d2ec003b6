import { describe, expect, test } from 'vitest'
import { template } from '../../../fixtures/yaml.ts'
import { draftedTemplate, transports } from '../../../support/desks.ts'
import { publisher } from '../../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('on the %s transport', (transport) => {
  test('template list shows every template, under --json with its state', async () => {
    const { file, json, vatom } = await publisher({ transport })
    file('many.yaml', ['B', 'A', 'C'].map((letter) => template(`$publisher::${letter}::v1`)).join('---\n'))
    await json('template', 'create', 'many.yaml')
    const names = ['A', 'B', 'C'].map((letter) => `local.vatom::${letter}::v1`)
    expect(await json('template', 'list')).toMatchObject(
      names.map((one) => ({ name: one, properties: { unpublished: true } })),
    )
    expect((await vatom('template', 'list')).out).toBe(names.map((one) => `${one}\tdraft\t\n`).join(''))
  })

  describe('template list --fields', () => {
    test('prints what was asked for as YAML, or as JSON', async () => {
      const { vatom, json } = await draftedTemplate(transport)
      const fields = ['template', 'list', '--fields', 'name,properties(cloneable)']
      expect((await vatom(...fields)).out).toBe(`- name: ${name}\n  properties:\n    cloneable: false\n`)
      expect(await json(...fields)).toEqual([{ name, properties: { cloneable: false } }])
    })

    test('without the name lists each template all the same', async () => {
      const { file, json } = await draftedTemplate(transport)
      file('other.yaml', template('$publisher::Other::v1'))
      await json('template', 'create', 'other.yaml')
      expect(await json('template', 'list', '--fields', 'public')).toEqual([{ public: false }, { public: false }])
      expect(await json('template', 'list', '--fields', 'properties(cloneable,name,unpublished)')).toEqual([
        { properties: { cloneable: false, unpublished: true } },
        { properties: { cloneable: false, unpublished: true } },
      ])
    })

    test('that are no selection is refused: exit 1', async () => {
      const { vatom } = await draftedTemplate(transport)
      expect(await vatom('template', 'list', '--fields', 'properties(')).toMatchObject({ code: 1, out: '' })
    })
  })
})
