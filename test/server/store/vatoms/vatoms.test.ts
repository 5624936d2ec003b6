import { expect, test } from 'vitest'
import { openStore } from '../../../../src/server/store/store.ts'

const vatom = {
  author: 'ann',
  publisher_fqdn: 'local.vatom',
  template_variation: 'V',
  parent_id: '.',
  category: '',
  visibility_type: 'owner',
  acquirable: 0,
  public: false,
  json: '"name":"x"}',
} as const

test('whether somebody owns a vAtom of a template is looked for among theirs in steps, not among all of the template', async () => {
  const store = await openStore(':memory:')
  const many = (owner: string, template: string, created: number) => {
    const ids = Array.from({ length: 1200 }, (_, at) => `${owner} ${template} ${at}`)
    store.vatoms.insert({ ...vatom, owner, template, created, ids })
  }
  many('ann', 'draft', 1)
  many('bob', 'other', 1)
  many('bob', 'last', 2)
  const asked = (owner: string, template: string) => {
    const steps = store.vatoms.ownsAny(owner, template)
    for (let taken = 0; ; taken++) {
      const { done, value } = steps.next()
      if (done) return [value, taken]
    }
  }
  expect(asked('eve', 'draft')).toEqual([false, 0])
  expect(asked('ann', 'draft')).toEqual([true, 0])
  expect(asked('bob', 'other')).toEqual([true, 0])
  expect(asked('bob', 'last')).toEqual([true, 2])
  expect(asked('bob', 'draft')).toEqual([false, 4])
  await store.close()
})
