import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readFileSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ActionDocument } from '../../../src/contract/kinds/action-schemas.ts'
import { FaceDocument } from '../../../src/contract/kinds/face-schemas.ts'
import { TemplateDocument } from '../../../src/contract/kinds/template-schemas.ts'
import { VariationDocument } from '../../../src/contract/kinds/variation-schemas.ts'
import { at } from '../../../src/contract/schema/path.ts'
import * as bodies from '../../fixtures/bodies.ts'
import { catalogDesk, published, rowsOf } from '../../fixtures/catalog.ts'
import { action, coupon, face, red, template, variation } from '../../fixtures/yaml.ts'
import { facing, registerAnyway, rival, served, transports } from '../../support/desks.ts'
import { lossy } from '../../support/lossy.ts'
import { Capture } from '../../support/streams.ts'
import { publisher } from '../../support/vatom.ts'

const transfer = `${coupon}::Action::Transfer`
const mainnet = 'eth:\n  network: mainnet\n  fields:\n    a: { type: uint, value: 1 }\n'
const everything = [
  `template ${coupon}`,
  `variation ${red}`,
  `action ${transfer}`,
  `face ${coupon} icon, generic, high, native://image`,
]

test('on a terminal, a plan with something to do names the command that carries it out', async () => {
  const { run, file, applied } = await catalogDesk()
  const planned = async (...words: readonly string[]) =>
    /Next: (.*)$/m.exec((await run(['plan', ...words], { tty: true })).err)?.[1]
  expect(await planned('catalog', '--prune')).toBe('vatom apply catalog --prune')
  expect((await run(['plan', 'catalog'])).err).not.toContain('Next:')
  for (const other of [['--format', 'markdown'], ['--json'], ['--out', 'a.plan'], ['--quiet']])
    expect({ other, next: await planned('catalog', ...other) }).toEqual({ other, next: undefined })
  expect((await run(['plan', '-'], { tty: true, stdin: template() })).err).not.toContain('Next:')
  await applied()
  expect(await planned('catalog')).toBeUndefined()
  file('catalog/4-coupon.yaml', published(template()))
  expect(await planned('catalog')).toBeUndefined()
  expect(await planned('catalog', '--publish')).toBe('vatom apply catalog --publish')
})

describe.each(transports)('on the %s transport', (transport) => {
  test('a new catalog is created in the order in which the service takes it, and plan sends nothing', async () => {
    const { json, vatom, changes, kept } = await catalogDesk(transport)
    changes()
    const plan = await json('plan', 'catalog')
    expect(rowsOf(plan, 'action').sort()).toEqual(everything.map((name) => `create ${name}`).sort())
    expect(plan).toMatchObject({
      summary: { total: 4, ok: 4, failed: 0, create: 4, update: 0, unchanged: 0, refuse: 0, publish: 0, delete: 0 },
      chain_writes: { charged: 0, free: 0 },
    })
    const { code, out } = await vatom('plan', 'catalog')
    expect(code).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toBe(`  + template ${coupon} (catalog/4-coupon.yaml)`)
    expect(lines[1]).toBe(`  + variation ${red} (catalog/3-red.yaml)`)
    expect(lines.at(-1)).toBe('Plan for 4 documents: 4 to create, 0 unchanged')
    expect(lines).toHaveLength(5)
    expect(changes()).toEqual([])
    expect(kept()).toEqual([])
  })

  test('what is there is compared place by place', async () => {
    const { json, vatom, file, applied, changes } = await catalogDesk(transport)
    await applied()
    expect(await vatom('plan', 'catalog')).toMatchObject({ code: 0, out: 'Plan for 4 documents: 4 unchanged\n' })
    file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: green'))
    file('catalog/1-face.yaml', `${face()}---\n${face(undefined, 'card')}`)
    const { out } = await vatom('plan', 'catalog')
    expect(out).toContain(
      `  ~ template ${coupon} (catalog/4-coupon.yaml)\n      vatom.private.color: "blue" -> "green"\n`,
    )
    expect(out).toContain(`  + face ${coupon} card, generic, high, native://image (catalog/1-face.yaml)\n`)
    expect(out).toContain('Plan for 5 documents: 1 to create, 1 to change, 3 unchanged')
    expect(out).not.toContain(red)
    const [row] = Object(await json('plan', 'catalog')).results
    expect(row).toEqual({
      file: 'catalog/4-coupon.yaml',
      kind: 'template',
      name: coupon,
      status: 'updated',
      would: 'updated',
      message: 'will be changed',
      problems: [],
      action: 'update',
      publishes: false,
      changes: [{ path: 'vatom.private.color', before: 'blue', after: 'green' }],
      alike: [],
    })
    expect(changes()).toEqual([])
  })

  test.each([
    ['view_mode: icon', 'view_mode: card', 'create'],
    ['platform: generic', 'platform: ios', 'create'],
    ['quality: high', 'quality: low', 'create'],
    ['gps: false', 'gps: true', 'update'],
    ['display_url: native://image', 'display_url: https://example.com/face', 'update'],
  ])('a face with %s turned into %s: %s', async (before, after, deed) => {
    const { json, file, applied } = await catalogDesk(transport)
    await applied()
    file('catalog/1-face.yaml', face().replace(before, after))
    const rows = rowsOf(await json('plan', 'catalog'), 'action')
    expect(rows.filter((row) => row.includes('face'))).toEqual([expect.stringMatching(`^${deed} face `)])
  })

  test('what is published and differs is refused, with the places; so is what cannot be changed', async () => {
    const { vatom, run, file, applied, changes } = await catalogDesk(transport)
    file('catalog/4-coupon.yaml', published(template()))
    await applied('--publish')
    file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: green'))
    const { code, out, err } = await vatom('plan', 'catalog')
    expect(code).toBe(1)
    expect(out).toContain(`  x template ${coupon} (catalog/4-coupon.yaml)\n      refused: `)
    expect(out).toContain('the document differs in vatom.private.color\n')
    expect(out).toContain(`hint: make the next version, in all files of the catalog: vatom template bump '${coupon}'`)
    expect(out).toContain('3 unchanged, 1 refused')
    expect(err).toContain('error: 1 of 4 documents would be refused')
    const asked = await run(['plan', 'catalog', '--json', '--exit-code', '--out', 'no.plan'])
    expect(asked.code).toBe(1)
    expect(asked.err).toContain(`  x template ${coupon} (catalog/4-coupon.yaml)\n      refused: `)
    expect(JSON.parse(asked.out)).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({
          name: coupon,
          status: 'refused',
          action: 'refuse',
          error: expect.objectContaining({ code: 'published' }),
        }),
        expect.objectContaining({ name: red, status: 'unchanged' }),
      ]),
      summary: { total: 4, ok: 3, failed: 1, refuse: 1 },
      error: { code: 'refused' },
    })
    expect((await vatom('apply', 'no.plan')).code).not.toBe(0)
    expect(changes()).toEqual([])
  })

  test('the hint to what is published names the first later version that neither the service nor the files have', async () => {
    const { vatom, json, file, applied, changes } = await catalogDesk(transport)
    const of = (version: string) => published(template(coupon.replace('v1', version)))
    file('later/2.yaml', of('v2'))
    file('later/3.yaml', of('v3').replace('unpublished: false', 'unpublished: true'))
    await json('apply', 'later', '--yes', '--publish')
    file('catalog/4-coupon.yaml', published(template()))
    await applied('--publish')
    file('catalog/5-coupon.yaml', template(coupon.replace('v1', 'v4')))
    const bump = `(v2 exists): vatom template bump '${coupon}' catalog --to v5`
    file('catalog/4-coupon.yaml', template())
    changes()
    expect((await vatom('plan', 'catalog')).err).toContain(bump)
    file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: green'))
    expect((await vatom('plan', 'catalog')).out).toContain(`in all files of the catalog ${bump}\n`)
    expect((await vatom('apply', 'catalog', '--yes')).err).toContain(bump)
    expect((await vatom('template', 'update', 'catalog/4-coupon.yaml')).err).toContain(bump.replace('v5', 'v4'))
    expect(changes()).toEqual([])
    expect(await vatom('template', 'bump', coupon, 'catalog', '--to', 'v5')).toMatchObject({ code: 0 })
    const { out } = await vatom('plan', 'catalog')
    expect(out).toContain(`  + template ${coupon.replace('v1', 'v5')} (catalog/4-coupon.yaml)\n`)
    expect(out).toContain('5 to create, 0 unchanged')
  })

  test('a variation that moves to another template is refused', async () => {
    const { json, run, file, applied } = await catalogDesk(transport)
    await applied()
    file('catalog/5-other.yaml', template('$publisher::Other::v1'))
    file('catalog/3-red.yaml', variation(undefined, '$publisher::Other::v1'))
    const { code, out } = await run(['plan', 'catalog', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(out).results).toContainEqual(
      expect.objectContaining({ name: red, action: 'refuse', error: expect.objectContaining({ code: 'fixed' }) }),
    )
    expect(await json('variation', 'get', red)).toMatchObject({ properties: { template: coupon } })
  })

  test('a template that nobody has is missed by each document of it', async () => {
    const { run, file } = await catalogDesk(transport)
    file('lost.yaml', [face(), action(), variation()].join('---\n'))
    const { code, out, err } = await run(['plan', 'lost.yaml', '--json'])
    expect(code).toBe(1)
    const { results } = JSON.parse(out)
    expect(
      results.map(({ action: deed, error }: { action: string; error: unknown }) => [deed, at(error, 'code')]),
    ).toEqual(Array(3).fill(['refuse', 'missing_reference']))
    expect(err).toContain('3 of 3 documents would be refused')
  })

  test('a template of another publisher is refused, and all else is compared', async () => {
    const desk = await catalogDesk(transport)
    const other = await rival(desk)
    const name = 'rival.example::Coupon::v1'
    await other('POST', '/v1/templates', bodies.template({ template: name }))
    desk.file('catalog/5-foreign.yaml', face(name))
    desk.changes()
    for (const more of [[], ['--prune']]) {
      const { code, out } = await desk.run(['plan', 'catalog', '--json', ...more])
      expect(code).toBe(1)
      expect(rowsOf(JSON.parse(out), 'action').sort()).toEqual(
        [...everything.map((one) => `create ${one}`), `refuse face ${name} icon, generic, high, native://image`].sort(),
      )
    }
    expect(desk.changes()).toEqual([])
  })

  describe('--prune', () => {
    /** A service that has more than the catalog, which lost its face, its action and its variation. */
    async function pruned() {
      const desk = await catalogDesk(transport)
      await desk.applied()
      desk.remove('1-face', '2-action', '3-red')
      return desk
    }

    test('deletes faces, actions and draft variations of the catalog’s templates; without it nothing is deleted', async () => {
      const { json, vatom, file, applied } = await pruned()
      file('other.yaml', `${template('$publisher::Other::v1')}---\n${face('$publisher::Other::v1')}`)
      await json('apply', 'other.yaml', '--yes')
      expect(await json('plan', 'catalog')).toMatchObject({ summary: { total: 1, unchanged: 1, delete: 0 } })
      const plan = await json('plan', 'catalog', '--prune')
      expect(rowsOf(plan, 'action').slice(1)).toEqual([
        expect.stringMatching(`^delete face ${coupon} icon, generic, high, native://image \\([-\\da-f]{36}\\)$`),
        `delete action ${transfer}`,
        `delete variation ${red}`,
      ])
      const { out } = await vatom('plan', 'catalog', '--prune')
      expect(out.split('\n')[0]).toBe('Cannot be undone:')
      expect(out).toContain(`\n  - variation ${red}\n`)
      expect(out).toContain('1 unchanged; 3 to delete')
      await applied('--prune')
      expect(await json('face', 'list', coupon)).toEqual([])
      expect(await json('face', 'list', 'local.vatom::Other::v1')).toHaveLength(1)
    })

    test('leaves templates and published variations alone', async () => {
      const { json, file } = await pruned()
      await json('template', 'publish', coupon, '--confirm', coupon)
      await json('variation', 'publish', red, '--confirm', red)
      file('catalog/4-coupon.yaml', published(template()))
      const rows = rowsOf(await json('plan', 'catalog', '--prune'), 'action')
      expect(rows.filter((row) => row.startsWith('delete')).map((row) => row.split(' ')[1])).toEqual(['face', 'action'])
      file('other/none.yaml', template('$publisher::None::v1'))
      expect(rowsOf(await json('plan', 'other', '--prune'), 'action')).toEqual([
        'create template local.vatom::None::v1',
      ])
    })
  })

  test('two faces of the catalog for the same viewers are an error of every command: exit 3', async () => {
    const { run, file, changes } = await catalogDesk(transport)
    changes()
    file('catalog/9-again.yaml', face().replace('gps: false', 'gps: true'))
    for (const command of ['validate', 'plan', 'apply']) {
      const { code, out, err } = await run([command, 'catalog', '--json'])
      expect(code).toBe(3)
      expect(JSON.parse(out)).toMatchObject({ error: { code: 'invalid_documents' } })
      expect(err).toContain('error[face-twice]')
      expect(err).toContain('the first is at catalog/1-face.yaml:4:1')
    }
    expect(changes()).toEqual([])
  })

  test('several faces on the service for the same viewers are told, and the first is the catalog’s', async () => {
    const desk = await catalogDesk(transport)
    const { json, vatom, file, applied, changes } = desk
    await applied()
    const again = face().replace('gps: false', 'gps: true')
    await registerAnyway(desk, again, again)
    const ids = Object(await json('face', 'list', coupon)).map(({ id }: { id: string }) => id)
    changes()
    const told = `warning: face ${coupon} icon, generic, high, native://image: ${ids[0]} has 2 duplicates for the same viewers on the service, ${ids[1]} (native://image), ${ids[2]} (native://image); --prune deletes them\n`
    const planned = await vatom('plan', 'catalog')
    expect(planned).toMatchObject({ code: 0, out: 'Plan for 4 documents: 4 unchanged\n' })
    expect(planned.err).toContain(told)
    expect(await vatom('apply', 'catalog', '--yes', '--quiet')).toMatchObject({
      code: 0,
      err: expect.stringContaining(told),
    })
    expect(changes()).toEqual([])
    const { results } = Object(await json('plan', 'catalog'))
    const duplicates = ids.slice(1).map((id: string) => ({ id, display_url: 'native://image' }))
    expect(results.flatMap(({ alike }: { alike: unknown }) => alike)).toEqual(duplicates)
    file('other/face.yaml', face())
    expect((await vatom('plan', 'other', '--prune')).err).toContain(
      `; vatom face delete ${ids[1]} ${ids[2]} deletes them\n`,
    )
    const pruning = await vatom('apply', 'catalog', '--yes', '--prune')
    expect(pruning.err).not.toContain('warning')
    expect(changes().sort()).toEqual(
      ids
        .slice(1)
        .map((id: string) => `DELETE /v1/publisher/face/${id}`)
        .sort(),
    )
    expect(await json('face', 'list', coupon)).toMatchObject([
      { id: ids[0], properties: { constraints: { gps: false } } },
    ])
    await registerAnyway(desk, again)
    expect(await vatom('template', 'publish', coupon, '--confirm', coupon)).toMatchObject({ code: 0 })
  })
})

test('each document is checked once, where no service checks it, too', async () => {
  const desk = await catalogDesk()
  const { env } = await lossy(desk.service, () => 'answered')
  const checks = [TemplateDocument, VariationDocument, ActionDocument, FaceDocument].map((schema) =>
    vi.spyOn(schema(), 'safeParse'),
  )
  expect(await desk.run(['plan', 'catalog'], { env })).toMatchObject({ code: 0 })
  expect(checks.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1, 1])
  vi.restoreAllMocks()
})

describe('files given alone are held against what the service has', () => {
  /** Plans and applies a file, which must tell the same; answers the refusal. */
  async function refusedAlike({ run, changes }: Awaited<ReturnType<typeof catalogDesk>>, ...args: string[]) {
    changes()
    const planned = await run(['plan', ...args, '--json'])
    const applied = await run(['apply', ...args, '--yes', '--json'])
    expect([planned.code, applied.code]).toEqual([1, 1])
    const [plan, done] = [JSON.parse(planned.out), JSON.parse(applied.out)]
    expect(rowsOf(plan, 'status')).toEqual(rowsOf(done, 'status'))
    expect(plan.results.map(({ problems }: { problems: unknown }) => problems)).toEqual(
      done.results.map(({ problems }: { problems: unknown }) => problems),
    )
    expect(changes()).toEqual([])
    return { ...plan, text: planned.out + (await run(['plan', ...args])).out }
  }

  test('a variation that overwrites what its template does not have', async () => {
    const desk = await catalogDesk()
    await desk.applied()
    desk.file('red.yaml', variation().replace('color: red', 'colour: red'))
    const { results, text } = await refusedAlike(desk, 'red.yaml')
    expect(results).toMatchObject([
      {
        status: 'refused',
        error: { code: 'overlay' },
        problems: [{ file: 'red.yaml', line: 7, column: 5, rule: 'overlay-private', path: 'vatom.private.colour' }],
      },
    ])
    const { out } = await desk.run(['validate', 'red.yaml', '--within', 'catalog', '--json'])
    const { problems } = JSON.parse(out).results[0]
    const { line, column, end_column, rule } = problems.find((one: { severity: string }) => one.severity === 'error')
    expect(results[0].problems).toMatchObject([{ line, column, end_column, rule }])
    expect(text).toContain(`variation ${red} does not fit ${coupon} as the service has it: `)
    expect(text).toMatch(/hint: did you mean color\?; if your files change the template, name them too\n/)
  })

  test('a face with a resource that its template does not have', async () => {
    const desk = await catalogDesk()
    await desk.applied()
    desk.file('card.yaml', face(undefined, 'card').replace('[CardImage]', '[CardImage, Other]'))
    expect((await refusedAlike(desk, 'card.yaml')).results).toMatchObject([
      { status: 'refused', error: { code: 'missing_reference' }, problems: [{ path: 'resources[1]' }] },
    ])
  })

  test('a template that takes away what a variation on the service overwrites', async () => {
    const desk = await catalogDesk()
    await desk.applied()
    desk.file('coupon.yaml', template().replace('color: blue', 'size: s'))
    const { results, text } = await refusedAlike(desk, 'coupon.yaml')
    expect(results).toMatchObject([{ status: 'refused', error: { code: 'overlay' } }])
    expect(text).toContain(`the variation ${red} overwrites vatom.private.color: `)
    // With the variation beside it, both change.
    desk.file('red.yaml', variation().replace('color: red', 'size: m'))
    desk.file('coupon.yaml', template().replace('color: blue', 'color: blue\n    size: s'))
    expect(await desk.vatom('apply', 'coupon.yaml', 'red.yaml', '--yes')).toMatchObject({ code: 0 })
  })

  test('what no record shows is found by a dry run: charges that the balance does not cover', async () => {
    const desk = await publisher({ service: { balance: 10 } })
    desk.file('other.yaml', template('$publisher::Other::v1'))
    desk.file('coupon.yaml', template(undefined, mainnet))
    for (const command of [['plan'], ['apply', '--yes', '--accept-charges']]) {
      const { code, out } = await desk.run([...command, 'other.yaml', 'coupon.yaml', '--json'])
      expect({ code, rows: rowsOf(JSON.parse(out), 'status') }).toEqual({
        code: 1,
        rows: ['not_sent template local.vatom::Other::v1', `refused template ${coupon}`],
      })
    }
    expect(await desk.json('template', 'list')).toEqual([])
  })

  test('a draft variation is deleted with what was emitted from it, and the plan says how much', async () => {
    const desk = await catalogDesk()
    await desk.applied()
    await desk.json('emit', red, '--num', '2')
    desk.remove('3-red')
    expect((await desk.vatom('plan', 'catalog', '--prune')).out).toContain(`\n  - variation ${red} with 2 vAtoms\n`)
    expect(await desk.json('plan', 'catalog', '--prune', '--out', 'the.plan')).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({ action: 'delete', name: red, contents: ['2 vAtoms'] }),
      ]),
    })
    await desk.json('emit', red)
    const stale = await desk.vatom('apply', 'the.plan')
    expect(stale).toMatchObject({
      code: 1,
      err: expect.stringContaining(`variation ${red} had 2 vAtoms, and now has 3 vAtoms\n`),
    })
    const { out } = await desk.vatom('apply', 'catalog', '--prune', '--yes')
    expect(out).toContain(`Deleted variation ${red} with 3 vAtoms on`)
    expect(await desk.json('inventory')).toMatchObject({ vatoms: [] })
  })
})

test('what is given to a template of another publisher is refused', async () => {
  const desk = await catalogDesk()
  const other = await rival(desk)
  const name = 'rival.example::Open::v1'
  await other('POST', '/v1/templates', bodies.template({ template: name, public: true, unpublished: false }))
  desk.file('face.yaml', face(name).replace('[CardImage]', '[]'))
  for (const command of [['plan'], ['apply', '--yes']]) {
    const { code, out } = await desk.run([...command, 'face.yaml', '--json'])
    expect({ code, results: JSON.parse(out).results }).toMatchObject({
      code: 1,
      results: [{ status: 'refused', message: `${name} belongs to another publisher` }],
    })
  }
})

test('a template of another publisher is not one to be added or pulled, whether it can be seen or not', async () => {
  const desk = await catalogDesk()
  const other = await rival(desk)
  const templateOf = (name: string) => bodies.template({ template: name, public: true, unpublished: false })
  await other('POST', '/v1/templates', templateOf('rival.example::Open::v1'))
  const remedy =
    'hint: only the publisher of a template adds documents to it: name a template of local.vatom, for which you are signed in'
  for (const [name, refusal] of [
    ['rival.example::Open::v1', 'rival.example::Open::v1 belongs to another publisher'],
    ['rival.example::Hidden::v1', 'no template is named rival.example::Hidden::v1'],
  ] as const) {
    desk.file('catalog/face.yaml', face(name))
    const { out, err } = await desk.vatom('plan', 'catalog')
    expect(err).toContain(
      'hint: the catalog has: local.vatom::Coupon::v1; the service takes only those of local.vatom here, whose names begin with $publisher::\n',
    )
    expect(out).toContain(refusal)
    expect(out).toContain(remedy)
    expect(await desk.vatom('pull', 'catalog', '--template', name)).toMatchObject({
      code: 1,
      err: `error: No template of yours is named ${name}\nhint: yours begin with local.vatom::; to pull another publisher's, sign in as an administrator of it: vatom login --context NAME\n`,
    })
  }
})

test('--exit-code ends with 10 where something is to be done, and with 0 where nothing is', async () => {
  const { vatom, applied, remove } = await catalogDesk()
  expect(await vatom('plan', 'catalog', '--exit-code')).toMatchObject({ code: 10 })
  await applied()
  expect(await vatom('plan', 'catalog', '--exit-code')).toMatchObject({ code: 0 })
  remove('1-face')
  expect(await vatom('plan', 'catalog', '--exit-code')).toMatchObject({ code: 0 })
  expect(await vatom('plan', 'catalog', '--exit-code', '--prune')).toMatchObject({ code: 10 })
})

describe('--exit-code where a draft is only to be published', () => {
  /** A catalog whose template is a draft on the service, and to be published. */
  async function draft() {
    const desk = await catalogDesk()
    await desk.applied()
    desk.file('catalog/4-coupon.yaml', published(template()))
    return desk
  }

  test('ends with 0, as apply has nothing to do, and says that it is not published', async () => {
    const { vatom, json } = await draft()
    expect(await vatom('plan', 'catalog', '--exit-code')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        new RegExp(
          `done only with --publish, or typed when apply asks:\\n  ! publish template ${coupon}\\n.*1 would be published with --publish`,
        ),
      ),
    })
    expect(await vatom('plan', 'catalog', '--exit-code', '--format', 'github')).toMatchObject({ code: 0, out: '' })
    expect(await json('plan', 'catalog', '--exit-code')).toMatchObject({
      summary: { publish_only: 0, publish: 0, withheld: 1 },
    })
    expect(await vatom('apply', 'catalog', '--yes', '--json')).toMatchObject({ code: 0 })
    expect(await vatom('plan', 'catalog', '--exit-code')).toMatchObject({ code: 0 })
  })

  test.each([['--publish'], ['--out', 'the.plan']])('ends with 10 with %s', async (...words) => {
    const { vatom } = await draft()
    const { code, out } = await vatom('plan', 'catalog', '--exit-code', ...words)
    expect({ code, out }).toEqual({
      code: 10,
      out: expect.stringContaining(`Cannot be undone:\n  ! publish template ${coupon}\n`),
    })
    expect(out).toContain('1 to publish')
  })
})

test('a variation that is published while its template stays a draft is refused', async () => {
  const { run, vatom, file, applied } = await catalogDesk()
  file('catalog/3-red.yaml', variation(undefined, undefined, 'unpublished: false\n'))
  const { code, out } = await run(['plan', 'catalog', '--json'])
  expect(code).toBe(1)
  expect(JSON.parse(out).results).toContainEqual(
    expect.objectContaining({ name: red, error: expect.objectContaining({ code: 'template_draft' }) }),
  )
  file('catalog/4-coupon.yaml', published(template()))
  expect((await vatom('plan', 'catalog')).out).toContain(
    `Cannot be undone, and is done only with --publish, or typed when apply asks:\n  ! publish template ${coupon}\n  ! publish variation ${red}\n`,
  )
  await applied('--publish')
  expect(await vatom('plan', 'catalog')).toMatchObject({ code: 0, out: 'Plan for 4 documents: 4 unchanged\n' })
})

test('chain writes are counted, and what is charged stands last, behind the line, alone, with its chain writes', async () => {
  const eth = (network: string) => `eth:\n  network: ${network}\n  fields:\n    a: { type: uint, value: 1 }\n`
  const { json, vatom, file } = await catalogDesk('local', eth('mainnet'))
  file('catalog/5-other.yaml', template('$publisher::Other::v1', eth('testnet')))
  expect(await json('plan', 'catalog')).toMatchObject({ chain_writes: { charged: 2, free: 2 } })
  const { out } = await vatom('plan', 'catalog')
  const [before = '', after = ''] = out.split('Cannot be undone:\n')
  const free = everything.filter((name) => name !== `template ${coupon}`)
  for (const name of [...free, 'template local.vatom::Other::v1']) {
    expect(before).toContain(`  + ${name} (`)
    expect(after).not.toContain(name)
  }
  expect(before).toContain('eth on testnet: 2 chain writes (1 contract, 1 field), free of charge\n')
  expect(before).toContain('eth on mainnet: 2 chain writes (1 contract, 1 field) will be charged\n')
  const final = [
    `  + template ${coupon} (catalog/4-coupon.yaml)`,
    '      eth on mainnet: 2 chain writes (1 contract, 1 field) will be charged',
    'Plan for 5 documents: 5 to create, 0 unchanged',
  ]
  expect(after).toBe(`${final.join('\n')}\n`)
})

test('SARIF has the status that --exit-code has a plan with changes end with', async () => {
  const { vatom, applied } = await catalogDesk()
  const planned = async () => {
    const { code, out } = await vatom('plan', 'catalog', '--exit-code', '--format', 'sarif')
    return { code, invocations: JSON.parse(out).runs[0].invocations }
  }
  expect(await planned()).toEqual({ code: 10, invocations: [{ executionSuccessful: true, exitCode: 10 }] })
  await applied()
  expect(await planned()).toEqual({ code: 0, invocations: [{ executionSuccessful: true, exitCode: 0 }] })
})

test.each(['github', 'sarif'])('--format %s tells what is refused as a problem', async (format) => {
  const { vatom, file, applied } = await catalogDesk()
  file('catalog/4-coupon.yaml', published(template()))
  await applied('--publish')
  file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: green'))
  const { code, out, err } = await vatom('plan', 'catalog', '--format', format)
  expect(code).toBe(1)
  expect(err).toContain('1 of 4 documents would be refused')
  if (format === 'github')
    return expect(out).toMatch(/^::error file=catalog\/4-coupon\.yaml,line=1,[^\n]*title=published[^\n]*\n$/)
  expect(JSON.parse(out)).toMatchObject({ runs: [{ results: [{ ruleId: 'published', level: 'error' }] }] })
})

test.each([
  ['github', (out: string) => [...out.matchAll(/^::error file=([^,]*)/gm)].map(([, path]) => path)],
  ['gitlab', (out: string) => JSON.parse(out).map((one: { location: { path: string } }) => one.location.path)],
  [
    'sarif',
    (out: string) =>
      JSON.parse(out).runs[0].results.map(
        ({ locations }: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
          locations[0]?.physicalLocation.artifactLocation.uri,
      ),
  ],
])(
  '--format %s reports only the documents that are refused, not those that are not sent because of them',
  async (format, filesIn) => {
    const { vatom, file, applied, changes } = await catalogDesk()
    file('catalog/4-coupon.yaml', published(template()))
    await applied('--publish')
    file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: green'))
    for (const number of [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
      file(`catalog/${number}-new.yaml`, `# vatom-ignore-file no-face\n${template(`$publisher::New${number}::v1`)}`)
    for (const words of [['plan'], ['apply', '--yes']]) {
      const { code, out, err } = await vatom(...words, 'catalog', '--format', format)
      expect({ code, files: filesIn(out) }).toEqual({ code: 1, files: ['catalog/4-coupon.yaml'] })
      expect(out).toContain('published, which is final')
      expect(out).not.toContain('of 15 documents')
      expect(err).toContain('1 of 15 documents')
    }
    expect(changes()).toEqual([])
  },
)

describe('--format markdown', () => {
  test('shows the total, what is changed, what cannot be undone, and problems, in blocks of code', async () => {
    const { vatom, file, applied, remove } = await catalogDesk()
    await applied()
    file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: "a```b @team"'))
    file('catalog/5-card.yaml', face(undefined, 'card'))
    remove('2-action', '3-red')
    const { code, out } = await vatom('plan', 'catalog', '--prune', '--format', 'markdown')
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual([
      '### Plan for 3 documents: 1 to create, 1 to change, 1 unchanged; 2 to delete; 1 would be published with --publish',
      '',
      '````diff',
      `~ template ${coupon} (catalog/4-coupon.yaml)`,
      '    vatom.private.color: "blue" -> "a```b @team"',
      `+ face ${coupon} card, generic, high, native://image (catalog/5-card.yaml)`,
      '````',
      '',
      '**Cannot be undone:**',
      '',
      '```diff',
      `- action ${transfer}`,
      `- variation ${red}`,
      '```',
      '',
      '**Cannot be undone, and is done only with --publish, or typed when apply asks:**',
      '',
      '```diff',
      `! publish template ${coupon}`,
      '```',
      '',
      '',
    ])
  })

  test('says what is refused, also in the log, and what is invalid', async () => {
    const { vatom, file, applied } = await catalogDesk()
    file('catalog/4-coupon.yaml', published(template()))
    await applied('--publish')
    file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: green'))
    expect(await vatom('plan', 'catalog', '--format', 'markdown')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/\n\*\*Refused, .*\*\*\n\n```diff\nx template .*\n {4}refused: .*\n/),
      err: expect.stringMatching(/^ {2}x template .*\n {6}refused: .*\n/m),
    })
    file('catalog/4-coupon.yaml', template().replace('title:', 'titel:'))
    for (const command of ['plan', 'validate'])
      expect(await vatom(command, 'catalog', '--format', 'markdown')).toMatchObject({
        code: 3,
        out: expect.stringMatching(
          /^\*\*1 error.*\*\*\n\n```text\ncatalog\/4-coupon\.yaml:6:5: error\[unknown-field\]: .*\n {2}hint: .*\n```\n$/s,
        ),
      })
  })
})

test('reads standard input and files alike, says nothing on stderr with --quiet, and wants a path', async () => {
  const { run, vatom, home } = await catalogDesk()
  const stdin = readFileSync(join(home, 'catalog/4-coupon.yaml'))
  expect(await run(['plan', '-', 'catalog/1-face.yaml', '--quiet'], { stdin })).toEqual({
    code: 0,
    out: `  + template ${coupon} (<stdin>)\n  + face ${coupon} icon, generic, high, native://image (catalog/1-face.yaml)\nPlan for 2 documents: 2 to create, 0 unchanged\n`,
    err: '',
  })
  expect(await vatom('plan')).toMatchObject({ code: 2, out: '' })
  expect(await vatom('plan', 'nowhere.yaml')).toMatchObject({ code: 3, out: '' })
})

test('invalid documents are told as they are, and nothing is asked: exit 3', async () => {
  const { run, file, changes } = await catalogDesk('network')
  file('catalog/4-coupon.yaml', template().replace('root_type', 'roottype'))
  const { code, out } = await run(['plan', 'catalog', '--json'])
  expect(code).toBe(3)
  expect(JSON.parse(out)).toMatchObject({ error: { code: 'invalid_documents' } })
  expect(changes()).toEqual([])
})

test('an interruption while it compares ends with 130, and one JSON document', async () => {
  const interrupted = new AbortController()
  const { run, file, env } = await facing(() => interrupted.abort())
  file('coupon.yaml', template())
  for (const command of [['plan'], ['apply', '--yes']]) {
    const { code, out } = await run([...command, 'coupon.yaml', '--json'], { env, signal: interrupted.signal })
    expect({ command, code }).toEqual({ command, code: 130 })
    const message = command.includes('apply') ? 'interrupted: nothing was sent' : 'interrupted'
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'interrupted', message } })
  }
})

test('an interrupted run whose plan replaces an earlier one says that none was saved, and how to go on', async () => {
  const { vatom, run, home } = await catalogDesk()
  await vatom('plan', 'catalog', '--out', 'a.plan')
  const interrupted = new AbortController()
  const { env } = await facing(() => interrupted.abort())
  const words = ['plan', 'catalog', '--out', 'a.plan', '--junit', 'a.xml']
  const { code, err } = await run(words, { env, signal: interrupted.signal })
  expect({ code, isThere: existsSync(join(home, 'a.plan')) }).toEqual({ code: 130, isThere: false })
  expect(err).toMatch(
    /the earlier plan in a\.plan was removed.*\n(.*\n)?error: interrupted: no plan was saved\nhint: to plan again: vatom plan catalog --out a\.plan( .*)?\n$/,
  )
  expect(readFileSync(join(home, 'a.xml'), 'utf8')).toContain('interrupted: no plan was saved')
})

test('an interrupted run that has saved its plan says so, and how to see it', async () => {
  const { run, file } = await catalogDesk()
  const documents = Array.from({ length: 1000 }, (_, number) => template(`$publisher::Own${number}::v1`))
  file('catalog/9-many.yaml', documents.join('---\n'))
  const interrupted = new AbortController()
  const stdout = new Capture()
  stdout.heard = () => interrupted.abort()
  const { code, err } = await run(['plan', 'catalog', '--out', 'a.plan'], { stdout, signal: interrupted.signal })
  expect({ code, err }).toMatchObject({
    code: 130,
    err: expect.stringMatching(
      /error: interrupted: the plan was saved before\nhint: to see all of it: vatom plan show a\.plan\n$/,
    ),
  })
  expect(await run(['plan', 'show', 'a.plan'])).toMatchObject({ code: 0, out: expect.stringContaining('Own999') })
})

test('an interruption while the service checks the plan is told as one, and that nothing was sent', async () => {
  const desk = await catalogDesk()
  const interrupted = new AbortController()
  const fate = ({ method, headers }: IncomingMessage) => {
    if (method !== 'GET' && headers['vatom-dry-run'] !== undefined) interrupted.abort()
    return 'answered' as const
  }
  const { env } = await lossy(desk.service, fate, undefined, ['vatom-dry-run'])
  const { code, err } = await desk.run(['apply', 'catalog', '--yes'], { env, signal: interrupted.signal })
  expect({ code, errors: err.split('\n').filter((line) => line.startsWith('error')) }).toEqual({
    code: 130,
    errors: ['error: interrupted: nothing was sent'],
  })
})

test('what the service says against one template is told of all that is of it, with --prune too', async () => {
  const desk = await catalogDesk()
  const { env } = await lossy(desk.service, ({ url = '' }) =>
    decodeURIComponent(url).endsWith(`/templates/${coupon}`) ? { status: 400 } : 'answered',
  )
  desk.file('catalog/5-other.yaml', template('$publisher::Other::v1'))
  const { code, out } = await desk.run(['plan', 'catalog', '--prune', '--json'], { env })
  expect(code).toBe(1)
  expect(rowsOf(JSON.parse(out), 'action')).toEqual(
    expect.arrayContaining([`refuse template ${coupon}`, 'create template local.vatom::Other::v1']),
  )
})

test('an interruption on the local service shows no plan', async () => {
  const interrupted = new AbortController()
  const { run, service } = await catalogDesk()
  const inject = service.inject.bind(service)
  service.inject = (request) => {
    interrupted.abort()
    return inject(request)
  }
  const { code, out } = await run(['plan', 'catalog', '--json'], { signal: interrupted.signal })
  expect({ code, out: JSON.parse(out) }).toMatchObject({ code: 130, out: { error: { code: 'interrupted' } } })
  expect(out).not.toContain('results')
})

test.each([
  [401, 4],
  [503, 5],
  [500, 5],
])('a service that answers %i to everything ends it with %i', async (status, exitCode) => {
  const { run, file, env } = await facing((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":11,"message":"no"}')
  })
  file('coupon.yaml', template())
  const { code, out } = await run(['plan', 'coupon.yaml', '--json'], { env })
  expect(code).toBe(exitCode)
  expect(Object.keys(JSON.parse(out))).toEqual(['error'])
})

test.each([
  ['501', 501, '<html>', 'http_501', 'refused', /^POST \/v1\/templates: 501, and no answer of a vAtom service/],
  [
    'a web page with 404',
    404,
    '<html>',
    'http_404',
    'refused',
    /^POST \/v1\/templates: 404, and no answer of a vAtom service/,
  ],
  [
    'a gateway’s 404',
    404,
    '{"message":"no Route matched"}',
    'http_404',
    'refused',
    /^POST \/v1\/templates: no Route matched/,
  ],
  [
    'a status twice',
    404,
    '{"error":404,"message":"Not Found"}',
    'http_404',
    'refused',
    /^POST \/v1\/templates: Not Found/,
  ],
  ['a web page with 200', 200, '<html>', 'no_json', 'failed', /^POST .* did not answer what the API/],
])(
  'another server that answers %s to everything but the profile is one failure',
  async (_, status, body, code, first, says) => {
    const profile = (await (await publisher()).vatom('api', 'GET', '/v1/user')).out.replaceAll(
      'local.vatom',
      'acme.com',
    )
    const { run, file, env } = await facing((request, response) => {
      if (request.url?.startsWith('/v1/user')) response.end(profile)
      else response.writeHead(status).end(body)
    })
    const names = ['A', 'B', 'C'].map((name) => `acme.com::${name}::v1`)
    file('three.yaml', names.map((name) => template(name)).join('---\n'))
    const words = {
      plan: ['plan', 'three.yaml'],
      apply: ['apply', 'three.yaml', '--yes'],
      create: ['template', 'create', 'three.yaml'],
    }
    for (const verb of ['plan', 'apply'] as const) {
      const ended = await run([...words[verb], '--format', 'github'], { env })
      expect(ended).toMatchObject({ code: 1 })
      expect(ended.out.match(/::error/g)).toHaveLength(1)
      expect(ended.out).toContain(`title=${code}`)
      expect(ended.err).toContain('is this a vAtom service? check the address: VATOM_BASE_URL')
    }
    const created = JSON.parse((await run([...words.create, '--json'], { env })).out)
    expect(created.results.map((row: { status: string }) => row.status)).toEqual([first, 'not_sent', 'not_sent'])
    expect(created.results[0].message).toMatch(says)
  },
)

test('a service at another path than that of its address is one failure, and none of a document', async () => {
  const { run, file, service, baseUrl } = await served()
  file('three.yaml', ['A', 'B', 'C'].map((name) => template(`local.vatom::${name}::v1`)).join('---\n'))
  const { refresh_token } = await service.localSession()
  const env = { VATOM_BASE_URL: `${baseUrl}/api`, VATOM_APP_ID: service.appId, VATOM_REFRESH_TOKEN: refresh_token }
  for (const words of [['plan'], ['apply', '--yes']]) {
    const { code, out, err } = await run([...words, 'three.yaml'], { env })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err.split('\n').slice(1)).toEqual([
      'error: No such operation',
      expect.stringContaining('to check the address: VATOM_BASE_URL'),
      '',
    ])
  }
  const created = JSON.parse((await run(['template', 'create', 'three.yaml', '--json'], { env })).out)
  expect(created.results.map((row: { status: string }) => row.status)).toEqual(['refused', 'not_sent', 'not_sent'])
})

describe('--format github', () => {
  test('annotates that the service differs, where that fails the step', async () => {
    const { vatom, applied } = await catalogDesk()
    const differing = await vatom('plan', 'catalog', '--exit-code', '--format', 'github')
    expect(differing).toMatchObject({
      code: 10,
      out: expect.stringMatching(
        /^::notice title=different::The service differs from the catalog: Plan for 4 documents: 4 to create/m,
      ),
    })
    expect((await vatom('plan', 'catalog', '--format', 'github')).out).not.toContain('::')
    expect(await vatom('plan', 'catalog', '--out', '-')).toMatchObject({
      code: 2,
      err: expect.stringContaining('hint: name a file: --out catalog.plan'),
    })
    await applied()
    expect(await vatom('plan', 'catalog', '--exit-code', '--format', 'github')).toMatchObject({ code: 0, out: '' })
  })

  test('annotates why there is no plan at all: no service, no session, too many warnings', async () => {
    const { run, file, env } = await facing((request) => request.socket.destroy())
    file('coupon.yaml', template('acme.com::A::v1'))
    for (const words of [['plan'], ['apply', '--yes']]) {
      const away = await run([...words, 'coupon.yaml', '--format', 'github'], { env })
      expect(away.code).toBe(5)
      expect(away.out).toMatch(/^::error title=unreachable::No answer from .*%0Ais the service running\?/)
      expect(away.out.match(/::error/g)).toHaveLength(1)
    }
    const refused = await facing((_, response) => response.writeHead(401).end('{"message":"Unauthorized"}'))
    refused.file('coupon.yaml', template('acme.com::A::v1'))
    const signedOut = await refused.run(['plan', 'coupon.yaml', '--format', 'github'], { env: refused.env })
    expect(signedOut).toMatchObject({
      code: 4,
      out: expect.stringMatching(/^::error title=http_401::GET \/v1\/user: Unauthorized%0Aput a new token into VATOM_/),
    })
    file('coupon.yaml', `# vatom-ignore-file no-such-rule\n${template('acme.com::A::v1')}`)
    const { code, out } = await run(['validate', 'coupon.yaml', '--max-warnings', '0', '--format', 'github'], { env })
    expect(code).toBe(3)
    expect(out).toMatch(/^::error title=too_many_warnings::\d+ warnings?, more than --max-warnings 0/m)
  })

  test.each(['json', 'sarif', 'gitlab', 'markdown'])('%s is a whole report of why there is none', async (format) => {
    const { run, file, env } = await facing((request) => request.socket.destroy())
    file('coupon.yaml', template('acme.com::A::v1'))
    const says = (out: string) => {
      if (format === 'markdown') return /^```text\n.*error\[(\w+)\]: (?:.*\n)*```\n$/.exec(out)?.slice(1)
      const report = JSON.parse(out)
      if (format === 'json') return [report.error.code]
      if (format === 'gitlab') return report.map(({ check_name }: { check_name: string }) => check_name)
      expect(report.runs[0].invocations).toMatchObject([{ executionSuccessful: false }])
      return report.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)
    }
    for (const words of [['plan'], ['apply', '--yes']]) {
      const { code, out, err } = await run([...words, 'coupon.yaml', '--format', format], { env })
      expect({ code, said: says(out) }).toEqual({ code: 5, said: ['unreachable'] })
      expect(err).toContain('error: No answer from')
    }
    const unused = await run(['validate', 'coupon.yaml', '--dry-run', '--format', format], { env })
    expect({ code: unused.code, said: says(unused.out) }).toEqual({ code: 2, said: ['usage'] })
    const mistyped = await run(['validate', 'coupon.yaml', '--fixx', `--format=${format}`], { env })
    expect({ code: mistyped.code, said: says(mistyped.out) }).toEqual({ code: 2, said: ['usage'] })
    file('coupon.yaml', `# vatom-ignore-file no-such-rule\n${template('acme.com::A::v1')}`)
    const warned = await run(['validate', 'coupon.yaml', '--max-warnings', '0', '--format', format], { env })
    expect(warned).toMatchObject({ code: 3, out: expect.stringContaining('more than --max-warnings 0') })
    const text = await run(['validate', 'coupon.yaml', '--dry-run'], { env })
    expect(text.out).toBe('')
  })

  test('a document that is printed there is the same when it is read again, and no line of it is a command', async () => {
    const { run, file, json } = await publisher()
    const text = '::set-output name=x::y\\nsecond line\\n'
    file('coupon.yaml', template().replace('vAtom::vAtomType\n', `vAtom::vAtomType\n    description: "${text}"\n`))
    await json('apply', 'coupon.yaml', '--yes')
    const env = { GITHUB_ACTIONS: 'true', VATOM_CONTEXT: 'local' }
    const { out } = await run(['template', 'get', '$publisher::Coupon::v1'], { env })
    expect(out).not.toMatch(/^\s*::/m)
    file('again.yaml', out)
    expect(await json('plan', 'again.yaml')).toMatchObject({ results: [{ action: 'unchanged' }] })
  })

  test.each([
    ['GITHUB_ACTIONS', '##[stop-commands]x', '::set-output name=x::y\nsecond ##[error]line\n'],
    ['TF_BUILD', '##vso[task.complete]', 'first\nsecond ##vso[task.complete result=Succeeded;]DONE'],
    ['TEAMCITY_VERSION', '##teamcity[buildStatus]', "##teamcity[buildStatus status='SUCCESS']"],
  ])(
    'with %s no text of a file becomes a command, and what is printed is the same when it is read again',
    async (pipeline, sign, text) => {
      const { run, file, json } = await publisher()
      const [mark = ''] = /^##\w*\[/.exec(sign) ?? []
      const env = { [pipeline]: 'true', VATOM_CONTEXT: 'local' }
      const written = template().replace(
        'vAtom::vAtomType\n',
        `vAtom::vAtomType\n    description: ${JSON.stringify(text)}\n`,
      )
      file(`catalog/${mark}coupon.yaml`, written)
      const planned = await run(['plan', 'catalog', '--diff'], { env })
      await json('apply', 'catalog', '--yes')
      const got = await run(['template', 'get', '$publisher::Coupon::v1'], { env })
      const asJson = await run(['template', 'get', '$publisher::Coupon::v1', '--json'], { env })
      file('bad.yaml', written.replace('root_type', `'${sign}'`))
      const refused = await run(['validate', 'bad.yaml', '--format', 'text'], { env })
      file('catalog/vatom.yaml', 'catalog: c\n')
      file(`catalog/${mark}coupon.yaml`, written.replace('color: blue', 'color: green'))
      const pulled = await run(['pull', 'catalog', '--diff'], { env })
      const noPatch = 'takes some of the lines for commands: they are escaped, and no patch'
      expect(pulled.err).toContain(noPatch)
      expect((await run(['pull', 'catalog', '--diff'])).err).not.toContain(noPatch)
      expect(pulled.out).toContain('-    color: green\n+    color: blue\n')
      file(`catalog/${mark}coupon.yaml`, template())
      const whole = await run(['pull', 'catalog', '--diff'], { env })
      expect(whole.out).toMatch(/^\+.*\\u00(23|3a)/m)
      for (const { out, err } of [planned, got, asJson, refused, pulled, whole]) expect(out + err).not.toContain(mark)
      expect(refused.err).toContain('\\u0023')
      expect(JSON.parse(asJson.out)).toEqual(await json('template', 'get', '$publisher::Coupon::v1'))
      file('again.yaml', got.out)
      expect(await json('plan', 'again.yaml')).toMatchObject({ results: [{ action: 'unchanged' }] })
    },
  )

  test('only that is a workflow command: a text of the service at the start of a line is not', async () => {
    const { run, file, env } = await facing((_, response) =>
      response.end(JSON.stringify({ payload: [{ name: '::add-mask::x', public: false, properties: {} }] })),
    )
    file('coupon.yaml', `# vatom-ignore-file no-such-rule\n${template('acme.com::A::v1')}`)
    const listed = (more: Record<string, string>) => run(['template', 'list'], { env: { ...env, ...more } })
    expect((await listed({ GITHUB_ACTIONS: 'true' })).out).toMatch(/^\\u003a:add-mask::x\t/)
    expect((await listed({})).out).toMatch(/^::add-mask::x\t/)
    const annotated = await run(['validate', 'coupon.yaml', '--max-warnings', '0', '--format', 'github'], {
      env: { GITHUB_ACTIONS: 'true', VATOM_PUBLISHER: 'acme.com' },
    })
    expect(annotated.out).toMatch(/^::(warning|error) /)
    file('coupon.yaml', template('acme.com::A::v1').replace('root_type', "'##[error]'"))
    const { out } = await run(['validate', 'coupon.yaml', '--format', 'github'], {
      env: { VATOM_PUBLISHER: 'acme.com' },
    })
    expect(out).toContain('::unknown field \\u0023#[error] in ')
  })
})

test.each([
  [403, 4],
  [503, 5],
  [429, 5],
])('a dry run that the service does not make (%i) fails the plan, and nothing is sent', async (status, code) => {
  const { run, file, applied, service, json } = await catalogDesk()
  await applied()
  file('catalog/3-red.yaml', variation())
  file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: green'))
  const fate = ({ headers, url = '' }: IncomingMessage) =>
    headers['vatom-dry-run'] !== undefined && url.includes('/template_variations/') ? { status } : 'answered'
  const { env } = await lossy(service, fate, undefined, ['vatom-dry-run'])
  for (const words of [
    ['plan', 'catalog', '--out', 'the.plan'],
    ['apply', 'catalog', '--yes'],
  ]) {
    const found = await run(words, { env })
    expect(found).toMatchObject({ code, err: expect.stringContaining('The service could not check the plan: ') })
    expect(found.out + found.err).not.toContain('Saved')
  }
  expect(at(await json('template', 'get', coupon), 'properties', 'template', 'private', 'color')).toBe('blue')
})

test('what a file calls a draft, and was published with other content, is to be got before a next version is made', async () => {
  const { vatom, file, applied, home } = await catalogDesk()
  file('catalog/vatom.yaml', 'catalog: shop\n')
  const old = template()
  const changed = old.replace('color: blue', 'color: green')
  file('catalog/4-coupon.yaml', published(changed))
  await applied('--publish')
  file('catalog/4-coupon.yaml', old)
  const pull = `vatom pull catalog --template '${coupon}'`
  const bump = `make the next version, in all files of the catalog: vatom template bump '${coupon}' catalog`
  const hint = `hint: its file calls it a draft, so it was published by other means, or from newer files: get those, as with git pull, or have what was published written into yours, which shows it and asks: ${pull}; or, to replace it by what your files say, ${bump}\n`
  expect((await vatom('plan', 'catalog')).out).toContain(hint)
  expect((await vatom('template', 'update', 'catalog/4-coupon.yaml')).err).toContain(hint)
  expect(await vatom('pull', 'catalog', '--template', coupon, '--yes')).toMatchObject({ code: 0 })
  expect(readFileSync(join(home, 'catalog/4-coupon.yaml'), 'utf8')).toBe(published(changed))
  file('catalog/4-coupon.yaml', published(old))
  const { out } = await vatom('plan', 'catalog')
  expect(out).toContain(`hint: ${bump}\n`)
  expect(out).not.toContain('vatom pull')
})

test('what a file beside catalogs calls a draft is not to be pulled into their folder', async () => {
  const { vatom, json, file, home } = await publisher()
  const single = file('all/single.yaml', template())
  file('all/tea/tea.yaml', template('$publisher::Tea::v1'))
  const project = file('all/tea/vatom.yaml', 'catalog: tea\n')
  await json('template', 'create', single)
  await json('template', 'publish', coupon, '--confirm', coupon)
  file('all/single.yaml', template().replace('color: blue', 'color: green'))
  const { err } = await vatom('template', 'update', single)
  const bump = `vatom template bump '${coupon}' all/single.yaml`
  expect(err).toContain(
    `: get those, as with git pull; or, to replace it by what your files say, make the next version, in all files of the catalog: ${bump}\n`,
  )
  expect(err).not.toContain('vatom pull')
  rmSync(join(home, project))
  expect((await vatom('template', 'update', single)).err).toContain(
    `which shows it and asks: vatom pull all --template '${coupon}'; or`,
  )
  expect(await vatom('pull', 'all', '--template', coupon, '--yes')).toMatchObject({ code: 0 })
  expect(readFileSync(join(home, single), 'utf8')).toContain('color: blue')
})

test('what is published stays so, which is a warning wherever documents have them, where its file calls it a draft again', async () => {
  const { vatom, json, file, applied, home } = await catalogDesk()
  file('catalog/4-coupon.yaml', published(template()))
  const draft = variation(undefined, undefined, 'unpublished: true\n')
  file('catalog/3-red.yaml', published(draft))
  await applied('--publish')
  expect((await vatom('plan', 'catalog')).err).not.toContain('stay')
  file('catalog/4-coupon.yaml', template())
  file('catalog/3-red.yaml', draft)
  const says = (subject: string) =>
    `${subject} stays published, which is final, although its file says unpublished: true`
  const both = [says(`template ${coupon}`), says(`variation ${red}`)]
  const all = (text: string) => both.map((one) => text.split(one).length - 1)
  const planned = await vatom('plan', 'catalog', '--exit-code', '--out', 'the.plan', '--junit', 'report.xml')
  expect(planned).toMatchObject({ code: 0, out: 'Plan for 4 documents: 4 unchanged\n' })
  expect(planned.err).toContain(`${both[0]}\n --> catalog/4-coupon.yaml:2:`)
  expect(planned.err).toContain(
    `make the next version, in all files of the catalog: vatom template bump '${coupon}' catalog`,
  )
  for (const text of [
    planned.err,
    readFileSync(join(home, 'report.xml'), 'utf8'),
    (await vatom('apply', 'catalog', '--yes')).err,
    (await vatom('apply', 'the.plan')).err,
    (await vatom('plan', 'show', 'the.plan')).err,
    (await vatom('plan', 'show', 'the.plan', '--format', 'markdown')).out,
    (await vatom('plan', 'catalog', '--format', 'markdown')).out,
  ])
    expect(all(text), text).toEqual([1, 1])
  for (const words of [
    ['plan', 'catalog'],
    ['apply', 'catalog', '--yes'],
  ]) {
    const { results } = Object(await json(...words))
    const problems = results.flatMap((one: { problems: { rule: string }[] }) => one.problems)
    const own = problems.filter(({ rule }: { rule: string }) => rule === 'stays-published')
    expect(own).toMatchObject(both.map((message) => ({ path: 'unpublished', severity: 'warning', message })))
  }
})

test('a report of a run that failed because of warnings has that failure', async () => {
  const { run, file, home } = await publisher()
  file('coupon.yaml', `# vatom-ignore-file no-such-rule\n${template()}`)
  const words = ['plan', 'coupon.yaml', '--max-warnings', '0', '--junit', 'report.xml']
  expect(await run(words)).toMatchObject({ code: 3 })
  const report = readFileSync(join(home, 'report.xml'), 'utf8')
  expect(report).toMatch(/<testsuites[^>]* failures="1"/)
  expect(report).toContain('more than --max-warnings 0')
})

test('--junit says of each document which fields change', async () => {
  const { home, file, vatom, applied } = await catalogDesk()
  await applied()
  file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: green'))
  expect(await vatom('plan', 'catalog', '--junit', 'report.xml')).toMatchObject({ code: 0 })
  expect(readFileSync(join(home, 'report.xml'), 'utf8')).toMatch(
    /<system-out>will be changed\n {2}vatom\.private\.color: &quot;blue&quot; -&gt; &quot;green&quot;<\/system-out>/,
  )
})

test('--junit says of each document what cannot be undone', async () => {
  const { home, file, json, remove, run, applied } = await catalogDesk()
  await applied()
  await json('emit', red)
  await json('emit', red)
  remove('3-red')
  file(
    'catalog/5-shop.yaml',
    `${template('$publisher::Shop::v1').replace('unpublished: true', 'unpublished: false')}${mainnet}`,
  )
  const env = { VATOM_CONTEXT: 'local' }
  expect(await run(['plan', 'catalog', '--prune', '--junit', 'report.xml'], { env })).toMatchObject({ code: 0 })
  const report = readFileSync(join(home, 'report.xml'), 'utf8')
  expect(report).toContain('<system-out>will be deleted with 2 vAtoms</system-out>')
  expect(report).toContain('\n  eth on mainnet: 2 chain writes (1 contract, 1 field) will be charged\n')
  expect(report).toContain('\n  eth on mainnet: publishing makes the contract final')
})

test.each([
  [['plan', 'catalog', '--prun']],
  [['plan', 'catalog', '--timeout', '0']],
  [['plan', '--out', 'the.plan']],
  [['apply', 'catalog', '--publsh']],
  [['apply', '--yes']],
  [['apply', '--dry-run']],
])('a report of an earlier run is replaced where a line is refused: %j', async ([command = '', ...words]) => {
  const { vatom, file, home } = await catalogDesk()
  const path = join(home, 'report.xml')
  for (const flags of [['--junit', 'report.xml'], ['--junit=report.xml']]) {
    const planned = await vatom('plan', 'catalog', '--out', 'the.plan', '--junit', 'report.xml')
    expect({ code: planned.code, report: readFileSync(path, 'utf8') }).toMatchObject({
      code: 0,
      report: expect.stringContaining('failures="0"'),
    })
    const { code, err } = await vatom(command, ...words, ...flags)
    const [, message = '?'] = /^error: (.*)$/m.exec(err) ?? []
    const report = readFileSync(path, 'utf8')
    expect({ code, report }).toEqual({ code: 2, report: expect.stringContaining(`name="vatom ${command}"`) })
    expect(report).toMatch(/^<testsuites .*failures="1"/m)
    expect(report).toContain(message)
    expect(existsSync(join(home, 'the.plan'))).toBe(!words.includes('--out'))
  }
  file('notes.xml', '<notes/>')
  await vatom(command, ...words, '--junit', 'notes.xml')
  expect(readFileSync(join(home, 'notes.xml'), 'utf8')).toBe('<notes/>')
})

test('--junit names no open stream that leads to a file: the report would take the place of that', async () => {
  const { home, file, vatom } = await catalogDesk()
  const open = openSync(join(home, file('out.txt', '')), 'a')
  onTestFinished(() => closeSync(open))
  expect(await vatom('plan', 'catalog', '--junit', `/dev/fd/${open}`)).toEqual({
    code: 2,
    out: '',
    err: `error: --junit writes no report to /dev/fd/${open}, which leads to a file\nhint: name the file: --junit report.xml\n`,
  })
  expect(readFileSync(join(home, 'out.txt'), 'utf8')).toBe('')
})

test('--junit replaces only an empty file or a JUnit report', async () => {
  const { vatom, file, home, changes } = await catalogDesk()
  file('notes.xml', '<project/>\n')
  for (const words of [['plan'], ['apply', '--yes']])
    for (const other of ['catalog/4-coupon.yaml', 'notes.xml']) {
      const before = readFileSync(join(home, other), 'utf8')
      expect(await vatom(...words, 'catalog', '--junit', other)).toEqual({
        code: 1,
        out: '',
        err: `error: ${other} exists and is not a JUnit report; it was not replaced\nhint: name a file for the report: --junit report.xml\n`,
      })
      expect(readFileSync(join(home, other), 'utf8')).toBe(before)
    }
  expect(changes()).toEqual([])
  file('empty.xml', '')
  file('other.xml', '<?xml version="1.0" encoding="UTF-8"?>\n<!-- of another program -->\n<testsuite name="x"/>\n')
  for (const name of ['new.xml', 'new.xml', 'empty.xml', 'other.xml']) {
    expect(await vatom('plan', 'catalog', '--junit', name)).toMatchObject({ code: 0 })
    expect(readFileSync(join(home, name), 'utf8')).toMatch(/<testsuites name="vatom" tests="4"/)
  }
})

test('--junit writes no file that is named -', async () => {
  const { vatom, home } = await catalogDesk()
  const { code, err } = await vatom('plan', 'catalog', '--junit', '-')
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--junit report.xml') })
  expect(existsSync(join(home, '-'))).toBe(false)
})

describe.skipIf(!existsSync('/dev/full'))('--junit that cannot be written at the end', () => {
  const junit = ['--junit', '/dev/full']

  test.each([
    [['plan', '--json']],
    [['plan', '--format', 'gitlab']],
    [['plan', '--exit-code', '--format', 'sarif']],
    [['apply', '--yes', '--json']],
    [['apply', '--yes', '--format', 'gitlab']],
  ])('leaves one document on stdout, that of a run without it: %j', async (words) => {
    const [alone, desk] = [await catalogDesk(), await catalogDesk()]
    const { out: expected } = await alone.run([...words, 'catalog'])
    const { code, out, err } = await desk.run([...words, 'catalog', ...junit])
    expect({ code, document: JSON.parse(out) }).toEqual({ code: 1, document: JSON.parse(expected) })
    expect(err).toMatch(/^error: \/dev\/full cannot be written: /m)
  })

  test('is an annotation on GitHub, too', async () => {
    const { vatom } = await catalogDesk()
    const { code, out } = await vatom('plan', 'catalog', ...junit, '--format', 'github')
    expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(/^::error .*\/dev\/full cannot be written/m) })
  })
})

/**
 * What a pipe that is read without waiting holds, up to the end. A program that another test starts has the writer's end too,
 * until it runs.
 */
async function readToEnd(pipe: FileHandle) {
  const parts: Buffer[] = []
  for (;;) {
    const read = await pipe.read().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EAGAIN') throw error
    })
    if (!read) await setTimeout(5)
    else if (read.bytesRead) parts.push(read.buffer.subarray(0, read.bytesRead))
    else return Buffer.concat(parts).toString()
  }
}

describe('--junit of a named pipe', () => {
  const words = ['apply', 'catalog', '--yes', '--junit', 'pipe']

  test('that nobody reads is refused before anything is sent', async () => {
    const { vatom, home, changes } = await catalogDesk()
    execFileSync('mkfifo', [join(home, 'pipe')])
    expect(await vatom(...words)).toEqual({
      code: 1,
      out: '',
      err: 'error: pipe cannot be written: nobody reads from it\nhint: choose another place, or correct its permissions\n',
    })
    expect(changes()).toEqual([])
  })

  test('gets one report, and ends with it', async () => {
    const { vatom, home } = await catalogDesk()
    const pipe = join(home, 'pipe')
    execFileSync('mkfifo', [pipe])
    const reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    onTestFinished(() => reader.close())
    expect(await vatom(...words)).toMatchObject({ code: 0 })
    const report = await readToEnd(reader)
    expect(report.match(/<testsuites/g)).toHaveLength(1)
    expect(report).toMatch(/<testsuites name="vatom" tests="4"[\s\S]*<\/testsuites>\s*$/)
    expect(report).not.toContain('did not finish')
  })
})

test('a change at the end of a long text is shown, and not its beginning twice', async () => {
  const { vatom, json, file } = await publisher()
  const text = (end: string) => template().replace('title: Coupon', `title: ${'Terms 😀 '.repeat(40)}${end}`)
  file('coupon.yaml', text('until May'))
  await json('apply', 'coupon.yaml', '--yes')
  file('coupon.yaml', text('until June, at the latest'))
  const { out } = await vatom('plan', 'coupon.yaml')
  expect(out).toMatch(/title: ….* until May" -> ….* until June, at the latest"$/m)
  expect(out).not.toMatch(/\ufffd|[\ud800-\udbff](?![\udc00-\udfff])/)
})
