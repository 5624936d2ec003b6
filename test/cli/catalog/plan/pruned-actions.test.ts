import { expect, test } from 'vitest'
import { action, template } from '../../../fixtures/yaml.ts'
import { publisher } from '../../../support/vatom.ts'

const [stamp, check] = ['Stamp', 'Check'].map((name) => `local.vatom::Coupon::v1::Action::${name}`)
const ownAction = (name: string) => action(name).replace(`blockv://v1/${name}`, `acme://${name.toLowerCase()}`)

const stampWith = (policy: string) => `${ownAction('Stamp')}policy: ${policy}\n`

/** A desk with an applied catalog of a template and the actions in `catalog/actions.yaml`. */
async function applied(...actions: readonly string[]) {
  const desk = await publisher()
  const write = (...documents: readonly string[]) => desk.file('catalog/actions.yaml', documents.join('---\n'))
  desk.file('catalog/vatom.yaml', 'catalog: shop\n')
  desk.file('catalog/coupon.yaml', template())
  write(...actions)
  expect(await desk.vatom('apply', 'catalog', '--yes')).toMatchObject({ code: 0 })
  return { ...desk, write }
}

const refused = `action ${check} cannot be deleted: the policy of ${stamp} (catalog/actions.yaml) names it`

test.each([
  ['pre', 'Check'],
  ['post', 'Check'],
  ['pre', check],
])('--prune does not delete an action that a policy in a file names: %s: %s', async (stage, name) => {
  const stamping = stampWith(`{ ${stage}: ['${name}'] }`)
  const { write, vatom } = await applied(stamping, ownAction('Check'))
  write(stamping)
  for (const command of [['plan'], ['apply', '--yes']]) {
    const { code, out, err } = await vatom(...command, 'catalog', '--prune')
    expect({ code, text: out + err }).toEqual({ code: 1, text: expect.stringContaining(refused) })
    expect(out + err).toContain('name another action there, or add the file of this one again')
    expect(out + err).not.toContain('Deleted')
  }
  expect(await vatom('action', 'get', String(check))).toMatchObject({ code: 0 })
  expect((await vatom('plan', 'catalog')).out).toContain(`? action ${check}: a policy of the catalog names it`)
})

test('--prune-unowned does not delete an action of nobody that a policy in a file names', async () => {
  const { file, json, vatom, write } = await applied(stampWith('{ pre: [Check] }'))
  await json('action', 'register', file('check.yaml', ownAction('Check')))
  const { code, out, err } = await vatom('apply', 'catalog', '--prune-unowned', '--yes')
  expect({ code, text: out + err }).toEqual({ code: 1, text: expect.stringContaining(refused) })
  write(ownAction('Stamp'))
  expect(await vatom('apply', 'catalog', '--prune-unowned', '--yes')).toMatchObject({
    code: 0,
    out: expect.stringContaining(`Deleted action ${check}`),
  })
})

test('--prune deletes an action together with the one that names it', async () => {
  const { write, vatom } = await applied(stampWith('{ pre: [Check] }'), ownAction('Check'), ownAction('Note'))
  write(ownAction('Note'))
  expect(await vatom('apply', 'catalog', '--prune', '--yes')).toMatchObject({ code: 0 })
  for (const name of [stamp, check]) expect(await vatom('action', 'get', String(name))).toMatchObject({ code: 1 })
})

test('plan and apply warn of an action to be deleted that the policy of an action of no file names', async () => {
  const { file, json, vatom, write } = await applied(ownAction('Stamp'), ownAction('Check'))
  const note = `${ownAction('Note')}policy: { pre: [Check] }\n`
  await json('action', 'register', file('note.yaml', note))
  write(ownAction('Stamp'))
  const warning = `local.vatom::Coupon::v1::Action::Note names ${check} in its policy`
  for (const command of [['plan'], ['apply', '--yes']]) {
    const { code, err } = await vatom(...command, 'catalog', '--prune')
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(warning) })
  }
})
