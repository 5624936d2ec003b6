import { expect, test } from 'vitest'
import { published } from '../../fixtures/catalog.ts'
import { action, face, template, variation } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

const given = "$publisher::Ann's 絵画::v1"
const name = given.replace('$publisher', 'local.vatom')
/** A text as a shell reads it. */
const word = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** A publisher whose drafts have names with a space and a quote. */
async function stocked() {
  const desk = await publisher()
  desk.file('c/vatom.yaml', 'catalog: c\n')
  const documents = [
    template(given),
    variation(`${given}::Red`, given),
    action().replace('$publisher::Coupon::v1', given),
  ]
  desk.file('c/one.yaml', documents.join('---\n'))
  await desk.json('apply', 'c', '--yes')
  const said = async (...args: string[]) => {
    const { out, err } = await desk.vatom(...args)
    return out + err
  }
  return { ...desk, said }
}

test('commands of hints have names with spaces and quotes as one word of a shell', async () => {
  const { said, json, file } = await stocked()
  const red = `${name}::Red`
  expect(await said('variation', 'publish', red, '--confirm', red)).toContain(
    `publish the template first: vatom template publish ${word(name)}\n`,
  )
  file('final.yaml', published(template(given)).replace('blue', 'red'))
  expect(await said('template', 'update', 'final.yaml')).toContain(
    `stays a draft: vatom template publish ${word(name)}\n`,
  )
  file('next.yaml', template(given.replace('v1', 'v2')))
  expect(await said('template', 'bump', given, 'c', 'next.yaml')).toContain(
    `vatom template bump ${word(name.replace('v1', 'v2'))} PATH\n`,
  )
  file('other.yaml', template('$publisher::Other::v1'))
  await json('template', 'create', 'other.yaml')
  file('moved.yaml', variation(`${given}::Red`, '$publisher::Other::v1'))
  expect(await said('variation', 'update', 'moved.yaml')).toContain(
    `create it again: vatom variation delete ${word(red)}\n`,
  )
  file('face.yaml', face('$publisher::Other::v1'))
  await json('face', 'register', 'face.yaml')
  const [{ id }] = (await json('face', 'list', 'local.vatom::Other::v1')) as [{ id: string }]
  file('face.yaml', face(given))
  expect(await said('face', 'update', id, 'face.yaml')).toContain(`vatom face list ${word(name)}\n`)
  await json('template', 'publish', name, '--confirm', name)
  file('c/one.yaml', template(given).replace('blue', 'red'))
  expect(await said('plan', 'c')).toContain(`vatom template bump ${word(name)} c\n`)
})

test('so do those of actions', async () => {
  const { said, json } = await stocked()
  const { ids } = (await json('emit', `${name}::Red`)) as { ids: [string] }
  const unknown = ['-d', 'new.owner.email=bob@example.com']
  expect(await said('act', 'Transfer', ids[0], ...unknown)).toContain(
    `vatom action get ${word(`${name}::Action::Transfer`)} --yaml > action.yaml`,
  )
})

test('so do those of what a catalog describes no more', async () => {
  const { said, file } = await stocked()
  file('c/one.yaml', template('$publisher::Other::v1'))
  expect(await said('plan', 'c')).toContain(`vatom template delete ${word(name)} deletes it`)
})

test('so do those with addresses', async () => {
  const { said } = await stocked()
  expect(await said('user', 'token', 'add', "o'brien@example.com")).toContain(
    `to verify it: vatom user token verify ${word("o'brien@example.com")}\n`,
  )
})
