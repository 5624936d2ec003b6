import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestOf } from '../../../src/cli/catalog/plan/compare-record.ts'
import { published } from '../../fixtures/catalog.ts'
import { coupon, template } from '../../fixtures/yaml.ts'
import { lossy } from '../../support/lossy.ts'
import { publisher } from '../../support/vatom.ts'

const resource = (name: string, url: string) =>
  `{ name: ${name}, resourceType: ResourceType::Image::PNG, value: { resourceValueType: ResourceValueType::URI, value: '${url}' } }`
const resources = [resource('A', 'http://localhost:8080/a.png'), resource('B', 'https://10.0.0.7/b.png')]
const final = published(template()).replace(
  'resources:\n',
  `resources:\n${resources.map((one) => `      - ${one}\n`).join('')}`,
)
const question = 'Publish 2 addresses that apps elsewhere cannot read?'
const refusal = { code: 2, out: '', err: expect.stringContaining(`no terminal to ask on: ${question}`) }
const wide = { tty: true, columns: 200 }
const typed = `Publishing is final. To publish it, type ${coupon}`

/** A catalog with addresses of one machine, and a service that is, by its address, on another one. */
async function elsewhere() {
  const desk = await publisher()
  desk.file('catalog/coupon.yaml', final)
  const { env } = await lossy(desk.service, () => 'answered')
  // A local port that is not known by a name of this machine.
  const far = { ...env, VATOM_BASE_URL: env.VATOM_BASE_URL.replace('127.0.0.1', '0.0.0.0'), VATOM_INSECURE: '1' }
  const names = async () => JSON.stringify(await desk.json('template', 'list'))
  return { ...desk, env: far, names, there: (...args: string[]) => desk.run(args, { env: far }) }
}

test('apply --publish to another machine refuses addresses of this one, unless they are accepted', async () => {
  const { there, names } = await elsewhere()
  const { code, out, err } = await there('apply', 'catalog', '--yes', '--publish')
  expect({ code, out, err }).toEqual(refusal)
  expect(err).toContain('hint: to answer yes, add --accept-addresses\n')
  expect(await names()).toBe('[]')
  expect(await there('apply', 'catalog', '--yes', '--publish', '--accept-addresses')).toMatchObject({ code: 0 })
})

test('the path of a file counts as an address that apps cannot read', async () => {
  const { there, file } = await elsewhere()
  file('catalog/coupon.yaml', final.replace('https://10.0.0.7/b.png', './b.png'))
  expect(await there('apply', 'catalog', '--yes', '--publish')).toMatchObject(refusal)
})

test('drafts, and what is published on this machine, need no acceptance', async () => {
  const { there, vatom } = await elsewhere()
  expect(await there('apply', 'catalog', '--yes')).toMatchObject({ code: 0 })
  const { code, err } = await vatom('apply', 'catalog', '--yes', '--publish')
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('cannot read?') })
})

test('a plan that would publish addresses of this machine is shown and not saved, unless they are accepted: exit 2', async () => {
  const { there, home } = await elsewhere()
  const { code, out, err } = await there('plan', 'catalog', '--out', 'the.plan', '--junit', 'plan.xml')
  expect({ code, out, err }).toEqual({
    code: 2,
    out: expect.stringContaining('with 2 addresses that apps elsewhere cannot read'),
    err: expect.stringContaining(
      'The plan was not saved: applying it would publish 2 addresses that apps elsewhere cannot read',
    ),
  })
  expect(err).toContain('add --accept-addresses')
  expect(err).not.toContain('Saved the plan')
  expect(existsSync(join(home, 'the.plan'))).toBe(false)
  const markdown = await there('plan', 'catalog', '--out', 'the.plan', '--format', 'markdown')
  expect(markdown.out).toMatch(
    /^### Plan for .*\n\n\*\*Error:\*\*\n\n```diff\nThe plan was not saved: applying it would publish 2/,
  )
  expect(readFileSync(join(home, 'plan.xml'), 'utf8')).toContain('The plan was not saved: ')
  expect(JSON.parse((await there('plan', 'catalog', '--out', 'the.plan', '--json')).out)).toMatchObject({
    results: [{ private_addresses: 2 }],
    error: { code: 'private_addresses' },
  })
  expect(await there('plan', 'catalog')).toMatchObject({ code: 0 })
})

test('a saved plan shows the addresses, is accepted with them, and refuses more', async () => {
  const { there, home } = await elsewhere()
  const { code, out, err } = await there('plan', 'catalog', '--out', 'the.plan', '--accept-addresses')
  const addresses = '2 addresses that apps elsewhere cannot read'
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringContaining(`  ! publish template ${coupon}\n      with ${addresses}\n`),
  })
  expect(err).toContain(`To carry it out, including publishing and ${addresses}: vatom apply the.plan\n`)
  expect((await there('plan', 'show', 'the.plan')).out).toContain(`with ${addresses}`)
  const { out: json } = await there('plan', 'catalog', '--json')
  expect(JSON.parse(json)).toMatchObject({ results: [{ private_addresses: 2 }] })
  const saved = JSON.parse(readFileSync(join(home, 'the.plan'), 'utf8'))
  saved.content.documents[0].private_addresses = 1
  writeFileSync(join(home, 'less.plan'), JSON.stringify({ ...saved, digest: digestOf(saved.content) }))
  expect(await there('apply', 'less.plan')).toMatchObject({
    code: 1,
    err: expect.stringContaining('more addresses are final that apps elsewhere cannot read'),
  })
  expect(await there('apply', 'the.plan', '--accept-addresses')).toMatchObject({ code: 2 })
  expect(await there('apply', 'the.plan')).toMatchObject({ code: 0 })
})

test.each([
  ['y', 0],
  ['n', 1],
])('template publish asks a person: %s', async (answer, code) => {
  const { there, run, env } = await elsewhere()
  await there('apply', 'catalog', '--yes')
  expect(await there('template', 'publish', coupon, '--confirm', coupon)).toMatchObject({
    ...refusal,
    err: expect.stringContaining(question),
  })
  const answers = { [question]: answer, [typed]: coupon }
  const ended = await run(['template', 'publish', coupon], { ...wide, env, answers })
  expect(ended).toMatchObject({ code, err: expect.stringContaining(question) })
})

test('template create of what is published at once refuses them, too', async () => {
  const { there, names } = await elsewhere()
  expect(await there('template', 'create', 'catalog', '--confirm', coupon)).toMatchObject({ code: 2, out: '' })
  expect(await names()).toBe('[]')
  const accepted = await there('template', 'create', 'catalog', '--confirm', coupon, '--accept-addresses')
  expect(accepted).toMatchObject({ code: 0 })
})
