import { expect, test } from 'vitest'
import { commandsForService } from '../../../src/cli/failure/hint-commands.ts'
import { published } from '../../fixtures/catalog.ts'
import { coupon, template, variation } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

const hintsOf = (err: string) => err.split('\n').filter((line) => line.startsWith('hint: '))

/** A desk on whose machine `local` is current, and the name of a context for its service. */
async function withOther() {
  const desk = await publisher({ transport: 'network' })
  const name = /^127\.0\.0\.1:\d+/m.exec((await desk.vatom('context', 'list')).out.replace(/^\W+/gm, ''))?.[0] ?? ''
  await desk.json('context', 'use', 'local')
  return { ...desk, name }
}

test('commands of a hint name the context that a flag chose, and only then', async () => {
  const { vatom, run, file, name } = await withOther()
  file('coupon.yaml', template())
  const failing = [
    [['template', 'get', 'local.vatom::Nothing'], `vatom --context ${name} template list`],
    [['template', 'update', 'coupon.yaml'], `vatom --context ${name} template create coupon.yaml`],
    [['act', 'Transfer', 'nothing', '-d', 'new.owner.id=x'], ''],
    [['trash', '00000000-0000-4000-8000-000000000000', '--yes'], `vatom --context ${name} inventory`],
    [['pull', '.'], ''],
    [['publish', 'x'], `vatom --context ${name} apply CATALOG --publish`],
    [['emit', 'Nothing'], `vatom --context ${name} variation list`],
  ] as const
  for (const [args, wanted] of failing) {
    const { err } = await run([...args, '--context', name])
    for (const hint of hintsOf(err)) expect(hint).not.toMatch(/\bvatom (?!--context|help|context)[a-z]/)
    expect(hintsOf(err).join('\n')).toContain(wanted)
    expect((await vatom(...args)).err).not.toContain('--context')
  }
})

test('so do the commands of notes, warnings and lists', async () => {
  const { run, file, name } = await withOther()
  file('catalog/coupon.yaml', template())
  file('catalog/red.yaml', variation())
  file('catalog/blue.yaml', variation('$publisher::Coupon::v1::Red::v2'))
  const said = async (...args: string[]) => (await run([...args, '--context', name])).err
  const own = `vatom --context ${name}`
  expect(await said('plan', 'catalog', '--out', 'the.plan')).toContain(`To carry it out: ${own} apply the.plan\n`)
  expect(await said('plan', 'show', 'the.plan')).toContain(`To carry it out: ${own} apply the.plan\n`)
  expect(await said('apply', 'catalog', '--yes')).not.toContain('error')
  file('final.yaml', published(template()).replace('blue', 'red'))
  expect(await said('template', 'update', 'final.yaml')).toContain(`stays a draft: ${own} template publish ${coupon}\n`)
  expect(await said('emit', 'Red')).toContain(`\n  vatom emit ${coupon}::Red --context ${name}\n`)
  expect(await said('init', 'shop', '--name', 'Tea')).toContain(`Next: ${own} plan shop\n`)
})

test('the error of --json has the same hint', async () => {
  const { run, name } = await withOther()
  const { out } = await run(['template', 'get', 'local.vatom::Nothing', '--context', name, '--json'])
  expect(JSON.parse(out).error.hint).toBe(`list what exists: vatom --context ${name} template list`)
})

const globals = { timeout: 30, input: true, pager: true }

test.each([
  [{ context: 'my dev' }, "vatom --context 'my dev' apply a"],
  [
    { context: 'dev', baseUrl: 'https://a.example', appId: 'x' },
    'vatom --base-url https://a.example --app-id x apply a',
  ],
  [{ baseUrl: 'https://a.example', appId: 'x' }, 'vatom --base-url https://a.example --app-id x apply a'],
  [
    { baseUrl: 'http://a.example', appId: 'x', insecure: true },
    'vatom --base-url http://a.example --app-id x --insecure apply a',
  ],
  [{}, 'vatom apply a'],
  [{ insecure: true }, 'vatom apply a'],
])('flags %j: %s', (given, expected) => {
  const inHints = commandsForService({ ...globals, ...given })
  expect(inHints('to go on: vatom apply a; what is done is not done twice')).toBe(
    `to go on: ${expected}; what is done is not done twice`,
  )
})

test.each([
  'use the service on this machine: vatom context use local',
  'to see the operations: vatom help operations',
  'start one here with: vatom serve --port 4000',
  'sign in: vatom login --context other',
  'sign in: vatom login --base-url https://b.example --app-id y',
])('a command that names a service or needs none is left as it is: %s', (hint) => {
  expect(commandsForService({ ...globals, context: 'dev' })(hint)).toBe(hint)
})

test('each command of a hint is completed by itself', () =>
  expect(
    commandsForService({ ...globals, context: 'dev' })(
      'one of: vatom template list, vatom face list; or vatom login --context b',
    ),
  ).toBe('one of: vatom --context dev template list, vatom --context dev face list; or vatom login --context b'))
