import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { dirsOf } from '../../../src/cli/dirs.ts'
import { recordServing } from '../../../src/cli/service/running.ts'
import { localPrefix } from '../../../src/contract/api/local-routes.ts'
import { limits } from '../../../src/contract/limits.ts'
import { at } from '../../../src/contract/schema/path.ts'
import { machineName } from '../../../src/processes.ts'
import type { ServiceOptions } from '../../../src/server/service.ts'
import { rowsOf } from '../../fixtures/catalog.ts'
import { action, coupon, face, template, variation } from '../../fixtures/yaml.ts'
import { transports } from '../../support/desks.ts'
import { newFolder } from '../../support/folders.ts'
import { testClock } from '../../support/host.ts'
import { type Fate, lossy } from '../../support/lossy.ts'
import { type Desk, deskOf, publisher } from '../../support/vatom.ts'

/** The environment of a job of a pipeline. */
const job = { CI: 'true', VATOM_CONTEXT: 'local' }

interface Unlisted {
  readonly unlisted: { readonly kind: string; readonly name: string; readonly catalog: string | null }[]
  readonly summary: Readonly<Record<string, number>>
}

/** The labels on the service, without their revisions. */
const labels = async ({ json }: Pick<Desk, 'json'>) => {
  const found = Object(at(await json('api', 'GET', 'v1/publisher/label'), 'payload'))
  return found.map(({ revision, ...label }: Record<string, unknown>) => label)
}

/** Catalog a with a template and a face; catalog b with another face of that template. */
async function twoCatalogs(transport?: (typeof transports)[number]) {
  const desk = await publisher(transport && { transport })
  desk.file('a/vatom.yaml', 'catalog: a\n')
  desk.file('a/coupon.yaml', template())
  desk.file('a/icon.yaml', face())
  desk.file('b/vatom.yaml', 'catalog: b\n')
  desk.file('b/card.yaml', face().replace('view_mode: icon', 'view_mode: card'))
  await desk.json('apply', 'a', '--yes')
  await desk.json('apply', 'b', '--yes')
  const plan = async (...words: string[]) => (await desk.json('plan', 'a', ...words)) as Unlisted
  return { ...desk, plan }
}

describe.each(transports)('what a catalog owns, on the %s transport', (transport) => {
  test('--prune leaves what another catalog applied, and plan names it', async () => {
    const { plan, vatom, json } = await twoCatalogs(transport)
    const { unlisted, summary } = await plan('--prune', '--prune-unowned')
    expect(summary).toMatchObject({ delete: 0, unlisted: 1 })
    expect(unlisted).toMatchObject([{ kind: 'face', catalog: 'b', template: coupon, published: false }])
    const { out } = await vatom('plan', 'a')
    expect(out).toMatch(
      /^1 record of this catalog or its templates is in no file:\n {2}\? face \S+ card, generic, high, native:\/\/image \(([-\da-f]{36})\): of the catalog b; if there is no such catalog any more: vatom face delete '?\1'? deletes it\nPlan for/,
    )
    await json('apply', 'a', '--yes', '--prune')
    expect(await json('face', 'list', coupon)).toHaveLength(2)
  })

  test('plan does not list templates of other catalogs and of none, nor what belongs to them', async () => {
    const { plan, vatom, file, json } = await twoCatalogs(transport)
    file('b/other.yaml', `${template('$publisher::Other::v1')}---\n${face('$publisher::Other::v1')}`)
    await json('apply', 'b', '--yes')
    file('none.yaml', template('$publisher::None::v1'))
    await json('template', 'create', 'none.yaml')
    expect((await plan()).unlisted).toMatchObject([{ template: coupon, catalog: 'b' }])
    const { out } = await vatom('help', 'catalog')
    expect(out.replace(/\s+/g, ' ')).toContain(
      '`plan` lists what is on the service and in no file, as far as it is of the catalog',
    )
  })

  test('a face of this catalog whose file is gone is deleted by --prune, and only then', async () => {
    const { plan, vatom, json, file } = await twoCatalogs(transport)
    file('a/icon.yaml', '# nothing\n')
    file('a/icon.yaml', template('$publisher::Second::v1'))
    expect((await plan()).summary).toMatchObject({ delete: 0, unlisted: 2 })
    expect((await vatom('plan', 'a')).out).toMatch(/icon, .* \(.*\): --prune deletes it\n/)
    expect((await plan('--prune')).summary).toMatchObject({ delete: 1, unlisted: 1 })
    const { out } = await vatom('apply', 'a', '--yes', '--prune')
    expect(out).toMatch(/Deleted face \S+ icon, generic, high, native:\/\/image \(/)
    expect(await json('face', 'list', coupon)).toHaveLength(1)
    expect((await plan('--prune')).summary).toMatchObject({ delete: 0, unlisted: 1 })
  })

  test.each([
    ['as this machine has recorded', true],
    ['as only the labels on the service say', false],
  ])('faces and actions on a template of another catalog are pruned like variations, %s', async (_, keepsData) => {
    const { vatom, json, file, home } = await twoCatalogs(transport)
    const whole = `${face(undefined, 'card')}---\n${face(undefined, 'fullscreen')}`
    file('b/card.yaml', whole)
    file('b/actions.yaml', `${action('Transfer')}---\n${action('Drop')}`)
    file('b/red.yaml', variation())
    await json('apply', 'b', '--yes')
    expect((await vatom('plan', 'b', '--prune', '--exit-code')).code).toBe(0)
    if (!keepsData) rmSync(join(home, '.local', 'share', 'vatom', 'owners'), { recursive: true })
    file('b/card.yaml', face(undefined, 'card'))
    file('b/actions.yaml', action('Transfer'))
    const { code, out } = await vatom('plan', 'b', '--exit-code')
    expect(code).toBe(0)
    expect(out).toMatch(/ {2}\? face local\.vatom::Coupon::v1 fullscreen, .*: --prune deletes it\n/)
    expect(out).toMatch(/ {2}\? action local\.vatom::Coupon::v1::Action::Drop: --prune deletes it\n/)
    expect(out).not.toMatch(/ {2}\? .*(icon|card|Transfer|Red)/)
    await vatom('plan', 'b', '--prune', '--out', 'b.plan')
    const deleted = (await vatom('apply', 'b.plan', '--yes')).out.split('\n').sort()
    expect(deleted).toEqual([
      '',
      expect.stringMatching(/^Deleted action .*Drop on /),
      expect.stringMatching(/^Deleted face .* fullscreen, /),
    ])
    file('b/card.yaml', '# nothing\n')
    file('b/actions.yaml', '# nothing\n')
    expect((await vatom('plan', 'b', '--prune', '--exit-code')).code).toBe(10)
    await json('apply', 'b', '--yes', '--prune')
    expect(await json('face', 'list', coupon)).toMatchObject([{ properties: { constraints: { view_mode: 'icon' } } }])
    expect(await json('action', 'list', coupon)).toEqual([])
    expect(await json('variation', 'list', '--template', coupon)).toHaveLength(1)
    expect((await vatom('plan', 'a', '--prune', '--exit-code')).code).toBe(0)
  })
})

describe('what a catalog owns', () => {
  test('faces and actions on a template of another catalog are pruned where the service stores no labels', async () => {
    const { service, run, file } = await twoCatalogs()
    const { env } = await lossy(service, ({ url = '' }) => (url.includes('/label') ? { status: 404 } : 'answered'))
    file('b/transfer.yaml', action())
    for (const catalog of ['a', 'b'])
      expect(await run(['apply', catalog, '--yes', '--take-over'], { env })).toMatchObject({ code: 0 })
    for (const name of ['card', 'transfer']) file(`b/${name}.yaml`, '# nothing\n')
    file('b/red.yaml', variation())
    const { out } = await run(['plan', 'b', '--prune'], { env })
    expect(out).toMatch(/^ {2}- action .*Transfer$/m)
    expect(out).toMatch(/^ {2}- face \S+ card, /m)
    expect(out).not.toContain('icon')
  })

  test('a machine without a data directory knows from the labels on the service what a catalog owns', async () => {
    const { plan, vatom, file, home } = await twoCatalogs()
    rmSync(join(home, '.local', 'share', 'vatom', 'owners'), { recursive: true })
    file('a/icon.yaml', template('$publisher::Second::v1'))
    file('b/card.yaml', template('$publisher::Third::v1'))
    expect((await vatom('plan', 'a')).out).toMatch(
      /icon, .*: --prune deletes it\n {2}\? face \S+ card, .*: of the catalog b; if there is no such catalog any more: vatom face delete \S+ deletes it\n/,
    )
    expect((await plan('--prune', '--prune-unowned')).summary).toMatchObject({ delete: 1, unlisted: 1 })
  })

  test('where the service stores no labels, a machine without a data directory owns nothing, and deletes nothing', async () => {
    const { service, file, home, run } = await twoCatalogs()
    rmSync(join(home, '.local', 'share', 'vatom', 'owners'), { recursive: true })
    file('a/icon.yaml', template('$publisher::Second::v1'))
    const { env } = await lossy(service, ({ url = '' }) => (url.includes('/label') ? { status: 404 } : 'answered'))
    const { code, out } = await run(['plan', 'a', '--prune'], { env })
    expect(code).toBe(0)
    expect(out).toMatch(/face \S+ icon, .*: of no known catalog; --prune-unowned deletes it/)
    expect(out).toMatch(/face \S+ card, .*: also in b, so it stays/)
    expect(out).not.toMatch(/^ {2}- /m)
  })

  /** A way to the service that answers some requests with a status. */
  const failing = async ({ service }: Desk, method: string, path: string, status: number) => {
    const isIt = (url: string) => url.split('?')[0] === path
    const fate = (request: { method?: string; url?: string }) =>
      request.method === method && isIt(request.url ?? '') ? { status } : ('answered' as const)
    return (await lossy(service, fate, undefined, ['vatom-dry-run'])).env
  }

  test.each([
    [503, 5],
    [429, 5],
    [403, 4],
  ])('labels that cannot be read (%i) end a run before it deletes or takes over anything', async (status, code) => {
    const desk = await twoCatalogs()
    const { file, home, run, json } = desk
    rmSync(join(home, '.local', 'share', 'vatom', 'owners'), { recursive: true })
    file('b/coupon.yaml', template())
    const env = await failing(desk, 'GET', '/v1/publisher/label', status)
    const before = await labels(desk)
    expect(await run(['apply', 'a', '--yes', '--prune', '--prune-unowned'], { env })).toMatchObject({ code })
    expect(await run(['apply', 'b', '--yes'], { env })).toMatchObject({ code })
    expect(await run(['plan', 'b', '--out', 'b.plan'], { env })).toMatchObject({ code })
    expect(existsSync(join(home, 'b.plan'))).toBe(false)
    expect(await json('face', 'list', coupon)).toHaveLength(2)
    expect(await labels(desk)).toEqual(before)
  })

  test('records without a label are something to do, until apply has labelled them', async () => {
    const desk = await twoCatalogs()
    const { file, run, vatom, json } = desk
    file('d/vatom.yaml', 'catalog: d\n')
    file('d/fourth.yaml', `${template('$publisher::Fourth::v1')}---\n${face('$publisher::Fourth::v1')}`)
    const env = await failing(desk, 'PATCH', '/v1/publisher/label', 503)
    const applied = await run(['apply', 'd', '--yes'], { env })
    expect(applied).toMatchObject({ code: 0, err: expect.stringContaining('could not be recorded') })
    const { code, out } = await vatom('plan', 'd', '--exit-code')
    expect(code).toBe(10)
    expect(out).toContain('Plan for 2 documents: 2 unchanged; 2 whose catalog is to be recorded\n')
    expect(out).toContain(
      'The service does not know yet that template local.vatom::Fourth::v1 and 1 more are of the catalog d; apply records them there\n',
    )
    const planned = expect.objectContaining({
      action: 'unchanged',
      unlabelled: true,
      message: expect.stringMatching(/^Unchanged .*; its catalog will be recorded$/),
    })
    expect(await json('plan', 'd')).toMatchObject({
      results: [planned, planned],
      summary: { unchanged: 2, unlabelled: 2 },
    })
    await vatom('plan', 'd', '--out', 'd.plan')
    expect((await vatom('plan', 'show', 'd.plan')).out).toContain('apply records them there')
    expect(await vatom('apply', 'd.plan')).toMatchObject({
      code: 0,
      err: expect.stringContaining('2 unchanged; 2 whose catalog was recorded\n'),
    })
    expect(await json('apply', 'd', '--yes')).toMatchObject({ summary: { labelled: 0 } })
    expect(await labels(desk)).toContainEqual({ kind: 'template', key: 'local.vatom::Fourth::v1', catalog: 'd' })
    const after = await vatom('plan', 'd', '--exit-code')
    expect(after).toMatchObject({ code: 0 })
    expect(await json('plan', 'd')).toMatchObject({ summary: { unlabelled: 0 } })
    expect(after.out).not.toContain('does not know yet')
  })

  test('JSON of a run that only records owners says of which records', async () => {
    const desk = await twoCatalogs()
    const { file, run, json } = desk
    file('d/vatom.yaml', 'catalog: d\n')
    file('d/fourth.yaml', template('$publisher::Fourth::v1'))
    const env = await failing(desk, 'PATCH', '/v1/publisher/label', 503)
    await run(['apply', 'd', '--yes'], { env })
    expect(await json('apply', 'd', '--yes')).toMatchObject({
      results: [{ status: 'unchanged', labelled: true }],
      summary: { labelled: 1, unlabelled: 0 },
    })
  })

  test.each([
    ['/v1/general/app/version', { status: 500 }],
    ['/v1/general/app/version', { status: 403 }],
    ['/v1/general/app/version', { instead: '<html>sign in</html>' }],
    ['/v1/publisher/label', { status: 404 }],
    ['/v1/publisher/label', { status: 501 }],
  ] as const)('what answers GET %s with %j does not say that there are no labels', async (path, fate) => {
    const desk = await twoCatalogs()
    const { file, home, run } = desk
    rmSync(join(home, '.local', 'share', 'vatom', 'owners'), { recursive: true })
    file('b/coupon.yaml', template())
    const { env } = await lossy(
      desk.service,
      ({ method, url }) => (method === 'GET' && url?.split('?')[0] === path ? fate : 'answered'),
      undefined,
      ['vatom-dry-run'],
    )
    const before = await labels(desk)
    const { code } = await run(['apply', 'b', '--yes', '--prune', '--prune-unowned'], { env })
    expect([1, 4, 5]).toContain(code)
    expect(await labels(desk)).toEqual(before)
  })

  test('of records whose label was there when the plan was made nothing is said, if it cannot be read after a failure', async () => {
    const desk = await twoCatalogs()
    desk.file('a/coupon.yaml', template().replace('color: blue', 'color: green'))
    let hasFailed = false
    const { env } = await lossy(desk.service, ({ method, url = '' }) => {
      hasFailed ||= method === 'PATCH'
      return hasFailed && (method === 'PATCH' || url.startsWith('/v1/publisher/label')) ? { status: 403 } : 'answered'
    })
    const { code, out, err } = await desk.run(['apply', 'a', '--yes', '--json'], { env })
    expect(code).not.toBe(0)
    expect(hasFailed).toBe(true)
    expect(out + err).not.toContain('recorded')
    expect(JSON.parse(out).summary).toMatchObject({ unlabelled: 0 })
  })

  test('labels that cannot be written are a warning in each format, which --max-warnings counts', async () => {
    const desk = await twoCatalogs()
    const { run, home, file } = desk
    file('n/vatom.yaml', 'catalog: n\n')
    file('n/ticket.yaml', template().replace('Coupon', 'Ticket'))
    const env = await failing(desk, 'PATCH', '/v1/publisher/label', 403)
    const apply = (...words: string[]) => run(['apply', 'n', '--yes', ...words], { env })
    const said =
      /which catalog owns template local\.vatom::Ticket::v1 could not be recorded: .* VATOM_ACCESS_TOKEN .*; then apply again/
    const asJson = await apply('--json', '--junit', 'b.xml')
    expect(asJson.code).toBe(0)
    const { results, summary } = JSON.parse(asJson.out)
    expect(summary).toEqual({ total: 1, ok: 1, failed: 0, withheld: 0, take_over: 0, labelled: 0, unlabelled: 1 })
    const [first] = results
    expect(first).toMatchObject({
      kind: 'template',
      unlabelled: true,
      problems: [
        { rule: 'no-face' },
        { rule: 'unrecorded-owner', severity: 'warning', line: 1, message: expect.stringMatching(said) },
      ],
    })
    expect(first).not.toHaveProperty('taken_from')
    expect(readFileSync(join(home, 'b.xml'), 'utf8')).toMatch(said)
    const shown = await apply('--format', 'github')
    expect(shown.out).toMatch(/^::warning .*file=n\/ticket\.yaml.*could not be recorded/m)
    expect((await apply('--format', 'gitlab')).out).toContain('could not be recorded')
    expect((await apply('--format', 'markdown')).out).toContain('could not be recorded')
    const counted = await apply('--max-warnings', '1')
    expect(counted).toMatchObject({
      code: 6,
      err: expect.stringContaining('2 warnings, more than --max-warnings 1; everything was sent'),
    })
    expect(counted.err).toContain('1 unchanged; 1 whose catalog could not be recorded')
    expect(await apply('--max-warnings', '2')).toMatchObject({ code: 0 })
    expect(counted.err).toMatch(/\nhint: the warnings are no-face, unrecorded-owner; .*: vatom help rules\n$/)
    expect((await run(['help', 'rules'])).out).toMatch(/^ +unrecorded-owner\b/m)
    expect((await run(['explain', 'unrecorded-owner'])).out).toContain('which catalog owns what was applied')
  })

  test.each([['PATCH'], ['GET']])(
    'labels at which the service fails (%s) say so, and where to look',
    async (failing) => {
      const { run, file, service } = await twoCatalogs()
      file('n/vatom.yaml', 'catalog: n\n')
      file('n/ticket.yaml', template().replace('Coupon', 'Ticket'))
      const page = JSON.stringify({ error: 11, message: 'Internal error', request_id: 'id-7' })
      const isLabel = (url = '') => url.startsWith('/v1/publisher/label')
      const { env } = await lossy(
        service,
        ({ method, url }) => (method === failing && isLabel(url) ? { status: 500, page } : 'answered'),
        undefined,
        ['vatom-dry-run'],
      )
      const { err } = await run(['apply', 'n', '--yes'], { env })
      const why =
        "The service failed: Internal error.*\n?.*the service's id for this request is id-7, and its log, if it has one, says more"
      expect(err).toMatch(new RegExp(why))
      expect(err.includes('could not be recorded')).toBe(failing === 'PATCH')
    },
  )

  test.each([
    ['while the question stands', 2, 1, /template .* belongs to the catalog b[\s\S]*nothing was sent; apply again/],
    [
      'while its records are written',
      3,
      0,
      /could not be recorded: it belongs to the catalog b meanwhile; to take it back, plan and apply with --take-over; else remove its document here/,
    ],
  ] as const)('records that another catalog takes over %s are not taken back', async (_, read, code, message) => {
    const desk = await twoCatalogs()
    const { service, file, run } = desk
    file('a/coupon.yaml', template().replace('title: Coupon', 'title: New'))
    const headers = { 'app-id': service.appId, authorization: `Bearer ${service.localToken()}` }
    const body = JSON.stringify({ catalog: 'b', records: [{ kind: 'template', key: coupon }] })
    let reads = 0
    const { env } = await lossy(
      service,
      async ({ method, url = '' }) => {
        if (method === 'GET' && url.startsWith('/v1/publisher/label') && ++reads === read)
          await service.inject({ method: 'PATCH', path: '/v1/publisher/label', headers, body })
        return 'answered' as const
      },
      undefined,
      ['vatom-dry-run'],
    )
    const asked = { env, tty: true, columns: 300, answers: { 'Apply this plan': 'y' } }
    expect(await run(['apply', 'a'], asked)).toMatchObject({ code, err: expect.stringMatching(message) })
    expect(await labels(desk)).toContainEqual(expect.objectContaining({ kind: 'template', catalog: 'b' }))
  })

  test.each([
    ['another catalog', 'b', 'belongs to the catalog b'],
    ['a catalog without a name', null, 'no longer belongs to the catalog a'],
  ])('records that %s takes over while the question stands are not deleted', async (_, catalog, said) => {
    const desk = await twoCatalogs()
    const { service, file, run, json } = desk
    file('a/red.yaml', variation())
    await json('apply', 'a', '--yes')
    file('a/red.yaml', '# none\n')
    const headers = { 'app-id': service.appId, authorization: `Bearer ${service.localToken()}` }
    const body = JSON.stringify({ catalog, records: [{ kind: 'variation', key: `${coupon}::Red` }] })
    let reads = 0
    const { env } = await lossy(
      service,
      async ({ method, url = '' }) => {
        if (method === 'GET' && url.startsWith('/v1/publisher/label') && ++reads === 2)
          await service.inject({ method: 'PATCH', path: '/v1/publisher/label', headers, body })
        return 'answered' as const
      },
      undefined,
      ['vatom-dry-run'],
    )
    const asked = { env, tty: true, columns: 300, answers: { 'Apply this plan': 'y' } }
    expect(await run(['apply', 'a', '--prune'], asked)).toMatchObject({
      code: 1,
      err: expect.stringMatching(new RegExp(`variation \\S+ ${said}[^]*nothing was sent; apply again`)),
    })
    expect(await json('variation', 'list')).toHaveLength(1)
  })

  test('what owns records is asked again where only the first answer hid that the service knows it', async () => {
    const desk = await twoCatalogs()
    const { service, file, run, home, json } = desk
    rmSync(join(home, '.local', 'share', 'vatom', 'owners'), { recursive: true })
    file('b/coupon.yaml', template().replace('title: Coupon', 'title: New'))
    const { env } = await lossy(
      service,
      ({ url = '' }) => (url.startsWith('/v1/general/app/version') ? { instead: '{"payload":{}}' } : 'answered'),
      undefined,
      ['vatom-dry-run'],
    )
    const before = await json('template', 'get', coupon)
    expect(await run(['apply', 'b', '--yes'], { env })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/template .* belongs to the catalog a\nhint: nothing was sent; apply again/),
    })
    expect(await json('template', 'get', coupon)).toEqual(before)
  })

  test('what was changed before its take-over failed is named', async () => {
    const desk = await twoCatalogs()
    desk.file('b/coupon.yaml', template().replace('color: blue', 'color: green'))
    const env = await failing(desk, 'PATCH', '/v1/publisher/label', 403)
    const { out, err } = await desk.run(['apply', 'b', '--yes', '--take-over'], { env })
    expect(out).toMatch(/^Updated template \S+ on .*: vatom\.private\.color\n$/)
    expect(err).toMatch(/^error: .*was not taken over from the catalog a: /m)
    expect(err).toMatch(/^ {2}updated but failed: template local\.vatom::Coupon::v1 \(b\/coupon\.yaml\)$/m)
  })

  test.each([
    [{}, 'or agree: add --take-over'],
    [
      { CI: 'true', VATOM_CONTEXT: 'local' },
      'or agree once, with this commit on your machine: vatom apply b --take-over; then run all jobs again',
    ],
  ])('how to agree to a take-over where the environment has %j', async (env, agree) => {
    const desk = await twoCatalogs()
    desk.file('b/coupon.yaml', template())
    const { code, out } = await desk.run(['plan', 'b', '--out', 'b.plan', '--json'], { env })
    expect({ code, hint: JSON.parse(out).error.hint }).toEqual({
      code: 2,
      hint: `to leave them to that catalog, remove them from the files here; ${agree}`,
    })
  })

  test('what is changed and taken over is named when it was changed, and again when it was taken over', async () => {
    const desk = await twoCatalogs()
    desk.file('b/coupon.yaml', template().replace('color: blue', 'color: green'))
    const { out } = await desk.run(['apply', 'b', '--yes', '--take-over'])
    expect(out).toMatch(
      new RegExp(`^Updated template ${coupon} .*color\nTook over template ${coupon} from the catalog a\n$`),
    )
  })

  test('a take-over that the service does not record has failed, in each format', async () => {
    const desk = await twoCatalogs()
    const { run, home, file, json } = desk
    file('b/coupon.yaml', template())
    const env = await failing(desk, 'PATCH', '/v1/publisher/label', 403)
    const apply = (...words: string[]) => run(['apply', 'b', '--yes', '--take-over', ...words], { env })
    const asJson = await apply('--json', '--junit', 'b.xml')
    expect(asJson.code).toBe(1)
    const { results, summary, error } = JSON.parse(asJson.out)
    expect(error).toMatchObject({ code: 'not_taken_over', message: expect.stringContaining('from the catalog a') })
    expect(summary).toEqual({ total: 2, ok: 1, failed: 1, withheld: 0, take_over: 0, labelled: 0, unlabelled: 1 })
    expect(results[0]).toMatchObject({ kind: 'template', status: 'failed', unlabelled: true })
    expect(results[0]).not.toHaveProperty('taken_from')
    expect(readFileSync(join(home, 'b.xml'), 'utf8')).toMatch(
      /failures="1"[\s\S]*was not taken over from the catalog a/,
    )
    const shown = await apply()
    expect(shown).toMatchObject({ code: 1, err: expect.stringContaining('was not taken over from the catalog a') })
    expect(shown.err).not.toContain('could not be recorded: ')
    expect(await json('apply', 'b', '--yes', '--take-over')).toMatchObject({ summary: { take_over: 1, failed: 0 } })
  })

  test('a run that is interrupted while labels are written says so, and that they may not have been', async () => {
    const desk = await twoCatalogs()
    const { run, file } = desk
    file('b/coupon.yaml', template())
    const ended = new AbortController()
    const { env } = await lossy(
      desk.service,
      ({ method, url }) => {
        if (method !== 'PATCH' || url !== '/v1/publisher/label') return 'answered'
        ended.abort()
        return 'unanswered'
      },
      undefined,
      ['vatom-dry-run'],
    )
    const ask = ['apply', 'b', '--yes', '--take-over', '--json']
    const { code, out } = await run(ask, { env, signal: ended.signal })
    const { error, results } = JSON.parse(out)
    expect({ code, error }).toMatchObject({
      code: 130,
      error: { code: 'interrupted', message: 'interrupted when all had been sent' },
    })
    expect(results[0].problems).toContainEqual(
      expect.objectContaining({ rule: 'unrecorded-owner', message: expect.stringContaining('apply again') }),
    )
  })

  test('what an interrupted run has created gets its label from the next one, and is in no plan before', async () => {
    const desk = await twoCatalogs()
    const { run, file, plan, json } = desk
    const ended = new AbortController()
    const { env } = await lossy(
      desk.service,
      ({ method, url, headers }) => {
        if (method === 'POST' && url === '/v1/templates' && !('vatom-dry-run' in headers)) ended.abort()
        return 'answered'
      },
      undefined,
      ['vatom-dry-run'],
    )
    file('a/other.yaml', `${template('$publisher::Other::v1')}---\n${face('$publisher::Other::v1')}`)
    expect(await run(['apply', 'a', '--yes'], { env, signal: ended.signal })).toMatchObject({ code: 130 })
    const withoutIt = async () => {
      renameSync(join(desk.home, 'a/other.yaml'), join(desk.home, 'other.yaml'))
      const { unlisted } = await plan()
      renameSync(join(desk.home, 'other.yaml'), join(desk.home, 'a/other.yaml'))
      return unlisted.filter(({ name }) => name.includes('Other'))
    }
    expect(await withoutIt()).toEqual([])
    await json('apply', 'a', '--yes')
    expect(await withoutIt()).toContainEqual(expect.objectContaining({ kind: 'template', catalog: 'a' }))
  })

  test.each(['lost', 'unanswered', { status: 502 }] as const)(
    'labels of which one answer is %j are sent again',
    async (fate) => {
      const desk = await twoCatalogs()
      desk.file('b/coupon.yaml', template())
      const fates: Fate[] = [fate]
      const { env } = await lossy(
        desk.service,
        ({ method, url }) =>
          (method === 'PATCH' && url === '/v1/publisher/label' ? fates.pop() : undefined) ?? 'answered',
        undefined,
        ['vatom-dry-run'],
      )
      const { code, out } = await desk.run(['apply', 'b', '--yes', '--take-over', '--json'], { env })
      expect({ code, ...JSON.parse(out).summary }).toMatchObject({ code: 0, unlabelled: 0, take_over: 1 })
    },
  )

  test('labels whose answer was lost may not have been written', async () => {
    const desk = await twoCatalogs()
    desk.file('b/coupon.yaml', template())
    const isLabelling = ({ method, url }: { method?: string; url?: string }) =>
      method === 'PATCH' && url === '/v1/publisher/label'
    const { env } = await lossy(
      desk.service,
      (request) => (isLabelling(request) ? 'unanswered' : 'answered'),
      undefined,
      ['vatom-dry-run'],
    )
    const takeOver = await desk.run(['apply', 'b', '--yes', '--take-over', '--json'], { env })
    expect({ code: takeOver.code, ...JSON.parse(takeOver.out) }).toMatchObject({
      code: 1,
      error: {
        code: 'not_taken_over',
        message: expect.stringMatching(/^may not have been taken over from the catalog a: /),
        may_be_done: true,
      },
    })
    desk.file('n/vatom.yaml', 'catalog: n\n')
    desk.file('n/ticket.yaml', template().replace('Coupon', 'Ticket'))
    const { code, out } = await desk.run(['apply', 'n', '--yes', '--json'], { env })
    expect({ code, ...JSON.parse(out).results[0] }).toMatchObject({
      code: 0,
      problems: expect.arrayContaining([
        expect.objectContaining({
          message: expect.stringMatching(/^which catalog owns .* may not have been recorded: /),
        }),
      ]),
    })
  })

  test('catalogs that are applied together each own what is in their files', async () => {
    const { plan, vatom, json, file } = await twoCatalogs()
    file('b/red.yaml', variation())
    await json('apply', 'a', 'b', '--yes')
    expect((await plan('--prune')).summary).toMatchObject({ delete: 0, unlisted: 2 })
    expect((await vatom('plan', 'a')).out.match(/of the catalog b/g)).toHaveLength(2)
    file('b/red.yaml', '# none\n')
    expect(await json('plan', 'a', 'b', '--prune')).toMatchObject({ summary: { delete: 1, unlisted: 0 } })
  })

  test('a folder without a name takes over what it applies, without a label', async () => {
    const { plan, ...desk } = await twoCatalogs()
    const { json, file } = desk
    expect(await labels(desk)).toHaveLength(3)
    file('c/card.yaml', face().replace('view_mode: icon', 'view_mode: card'))
    await json('apply', 'c', '--yes', '--take-over')
    expect((await plan()).unlisted).toMatchObject([{ catalog: expect.stringMatching(/\/c$/) }])
    expect(await labels(desk)).toEqual(expect.arrayContaining([{ kind: 'template', key: coupon, catalog: 'a' }]))
    expect(await labels(desk)).toHaveLength(2)
  })

  test('what was applied from a folder before it had a name belongs to the catalog that has it now', async () => {
    const { file, json } = await publisher()
    file('shop/coupon.yaml', template())
    file('shop/icon.yaml', face())
    file('other/red.yaml', variation())
    await json('apply', 'shop', '--yes')
    await json('apply', 'other', '--yes')
    file('shop/vatom.yaml', 'catalog: shop\n')
    file('shop/icon.yaml', '# nothing\n')
    expect(await json('plan', 'shop', '--prune', '--prune-unowned')).toMatchObject({
      summary: { delete: 1, unlisted: 1 },
      unlisted: [{ kind: 'variation', catalog: expect.stringMatching(/\/other$/) }],
    })
    await json('apply', 'shop', '--yes', '--prune')
    expect(await json('face', 'list', coupon)).toEqual([])
    expect(await json('variation', 'list', '--template', coupon)).toHaveLength(1)
  })

  test('what files describe that the catalog ignores is listed with the file, and not deleted', async () => {
    const { file, json, vatom } = await publisher()
    file('shop/vatom.yaml', 'catalog: shop\n')
    file('shop/coupon.yaml', template())
    file('shop/drafts/red.yaml', variation())
    file('shop/icon.yaml', face())
    await json('apply', 'shop', '--yes')
    file('shop/vatom.yaml', 'catalog: shop\nignore: [drafts, icon.yaml]\n')
    expect(await json('plan', 'shop', '--prune', '--prune-unowned')).toMatchObject({
      unlisted: [{ ignored_in: 'shop/icon.yaml' }, { ignored_in: 'shop/drafts/red.yaml' }],
      summary: { delete: 0, unlisted: 2 },
    })
    const line =
      "? variation local.vatom::Coupon::v1::Red: in shop/drafts/red.yaml, which its catalog ignores, so it stays; vatom variation delete 'local.vatom::Coupon::v1::Red' deletes it\n"
    expect((await vatom('plan', 'shop', '--prune', '--out', 'shop.plan')).out).toContain(line)
    expect((await vatom('plan', 'show', 'shop.plan')).out).toContain(line)
    expect((await vatom('apply', 'shop', '--prune', '--prune-unowned', '--yes')).code).toBe(0)
    expect(await json('face', 'list', coupon)).toHaveLength(1)
    expect(await json('variation', 'list', '--template', coupon)).toHaveLength(1)
    file('shop/icon.yaml', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n')
    const refused = await vatom('apply', 'shop', '--prune', '--yes')
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toContain('shop/icon.yaml, which the catalog ignores, cannot be read: --prune may delete')
    expect((await vatom('plan', 'shop')).code).toBe(0)
    expect(await json('face', 'list', coupon)).toHaveLength(1)
    file('shop/icon.yaml', '# nothing\n')
    expect(await json('plan', 'shop', '--prune')).toMatchObject({ summary: { delete: 1, unlisted: 1 } })
  })

  test('a vatom.yaml in which all is a comment gives the catalog no name', async () => {
    const { file, json, vatom } = await twoCatalogs()
    file('e/vatom.yaml', '# catalog: e\n')
    file('e/fifth.yaml', template('$publisher::Fifth::v1'))
    expect(await vatom('validate', 'e')).toMatchObject({ code: 0 })
    expect(await json('plan', 'e')).toMatchObject({ summary: { create: 1, unlabelled: 0 } })
  })

  test('plan names the records that another catalog owns, and apply takes them over only with --take-over', async () => {
    const desk = await twoCatalogs()
    const { vatom, json, file } = desk
    file('b/coupon.yaml', template())
    const before = await labels(desk)
    const { out } = await vatom('plan', 'b')
    expect(out).toContain(
      `After apply, 1 record of the catalog a belongs to b:\n  > template ${coupon} (b/coupon.yaml)\n`,
    )
    expect(out).not.toContain('> face')
    const next = async () => /Next: (.*)$/m.exec((await desk.run(['plan', 'b'], { tty: true })).err)?.[1]
    expect(await next()).toBeUndefined()
    const alone = (await desk.run(['plan', 'b'], { tty: true })).err
    expect(alone).toMatch(/To take over 1 record of the catalog a: vatom apply b --take-over$/m)
    expect((await vatom('plan', 'b')).err).not.toContain('To take over')
    file('b/gold.yaml', variation('$publisher::Coupon::v1::Gold'))
    expect(await next()).toBe('vatom apply b')
    rmSync(join(desk.home, 'b/gold.yaml'))
    const markdown = (await vatom('plan', 'b', '--format', 'markdown')).out
    const [outside, inside] = [0, 1].map((odd) =>
      markdown
        .split(/^```.*$/m)
        .filter((_, at) => at % 2 === odd)
        .join(''),
    )
    expect(inside).toContain(`\n> template ${coupon} (b/coupon.yaml)\n`)
    expect(outside).not.toContain(coupon)
    const { results } = (await json('plan', 'b')) as { results: { kind: string }[] }
    expect(results.find(({ kind }) => kind === 'template')).toMatchObject({ action: 'unchanged', taken_from: 'a' })
    expect(results.find(({ kind }) => kind === 'face')).not.toHaveProperty('taken_from')
    const refused = await vatom('apply', 'b', '--yes')
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--take-over') })
    expect(refused.err).toContain(`  > template ${coupon} (b/coupon.yaml)\n`)
    const unagreed = JSON.parse((await vatom('apply', 'b', '--yes', '--json')).out)
    expect(unagreed).toMatchObject({ error: { code: 'take_over' }, summary: { total: 2 } })
    expect(rowsOf(unagreed, 'status')).toContain(`unchanged template ${coupon}`)
    expect(await labels(desk)).toEqual(before)
    const said = await desk.run(['apply', 'b', '--yes'], { tty: true, answers: { 'Take over': 'n' } })
    expect(said.err).toContain('Take over 1 record of the catalog a (--take-over agrees to it)?')
    const asked = await desk.run(['apply', 'b'], { tty: true, answers: { 'Take over': 'n' } })
    expect(asked.err).toContain('Take over 1 record of the catalog a?')
    expect(asked.err).not.toContain('--take-over')
    expect(await labels(desk)).toEqual(before)
    expect(results.find(({ kind }) => kind === 'template')).toMatchObject({
      message: `Unchanged template ${coupon}; will be taken over from the catalog a`,
    })
    const taken = await vatom('apply', 'b', '--yes', '--take-over', '--json', '--junit', 'b.xml')
    const took = `Unchanged template ${coupon}; taken over from the catalog a`
    const applied = JSON.parse(taken.out)
    expect(applied.summary).toEqual({
      total: 2,
      ok: 2,
      failed: 0,
      withheld: 0,
      take_over: 1,
      labelled: 0,
      unlabelled: 0,
    })
    expect(applied.results[0]).toMatchObject({ status: 'unchanged', taken_from: 'a', message: took })
    expect(applied.results[1]).not.toHaveProperty('taken_from')
    expect(taken.err).toMatch(/^2 unchanged; 1 taken over$/m)
    expect(readFileSync(join(desk.home, 'b.xml'), 'utf8')).toContain(took)
    expect(await labels(desk)).toContainEqual({ kind: 'template', key: coupon, catalog: 'b' })
    expect((await vatom('plan', 'b')).out).not.toContain('After apply,')
    expect(await json('apply', 'b', '--yes')).toMatchObject({ summary: { take_over: 0 } })
    await json('apply', 'a', '--yes', '--take-over')
    expect((await vatom('apply', 'b', '--yes', '--take-over')).out).toBe(`${took}\n`)
  })

  test('what is taken over, and --prune can delete, is told from templates and what is or becomes published', async () => {
    const { vatom, json, file } = await publisher()
    const all = (folder: string) => {
      file(`${folder}/vatom.yaml`, `catalog: ${folder}\n`)
      file(`${folder}/coupon.yaml`, template().replace('unpublished: true\n', 'unpublished: false\n'))
      file(`${folder}/face.yaml`, face())
      file(`${folder}/red.yaml`, variation(undefined, undefined, 'unpublished: false\n'))
      for (const name of ['Blue', 'Gold']) file(`${folder}/${name}.yaml`, variation(`$publisher::Coupon::v1::${name}`))
    }
    all('a')
    await json('apply', 'a', '--yes', '--publish')
    all('b')
    file('b/Gold.yaml', variation('$publisher::Coupon::v1::Gold', undefined, 'unpublished: false\n'))
    const line = (kind: string, name: string, path: string) =>
      `  > ${kind} local.vatom::Coupon::v1${name} (b/${path}.yaml)\n`
    const final = `After apply, 3 records of the catalog a belong to b:\n${line('template', '', 'coupon')}${line('variation', '::Gold', 'Gold')}${line('variation', '::Red', 'red')}`
    const prunable = `After apply, 2 records of the catalog a belong to b, whose --prune can delete them:\n${line('variation', '::Blue', 'Blue')}${line('face', ' icon, generic, high, native://image', 'face')}`
    await vatom('plan', 'b', '--publish', '--take-over', '--out', 'b.plan')
    for (const words of [
      ['plan', 'b', '--publish'],
      ['plan', 'show', 'b.plan'],
    ]) {
      const { out } = await vatom(...words)
      expect(out).toContain(final)
      expect(out).toContain(prunable)
    }
    const draft = (await vatom('apply', 'b', '--yes', '--take-over')).err
    expect(draft).toContain(`After apply, 2 records of the catalog a belong to b:`)
    expect(draft).toContain(`After apply, 3 records of the catalog a belong to b, whose --prune can delete them:`)
  })

  describe('a saved plan that takes over records of another catalog', () => {
    /** Catalog b has the template of catalog a, too; with `color`, it changes it. */
    async function overlapping(color = 'blue') {
      const desk = await twoCatalogs()
      desk.file('b/coupon.yaml', template().replace('color: blue', `color: ${color}`))
      const isOwnedBy = async (catalog: string) =>
        expect(await labels(desk)).toContainEqual({ kind: 'template', key: coupon, catalog })
      return { ...desk, isOwnedBy }
    }

    test.each(['blue', 'green'])('is made only with --take-over (%s)', async (color) => {
      const { vatom, home, json, isOwnedBy } = await overlapping(color)
      const planned = await vatom('plan', 'b', '--prune', '--out', 'b.plan', '--format', 'markdown')
      expect(planned).toMatchObject({
        code: 2,
        out: expect.stringContaining('The plan was not saved: applying it would take over 1 record of the catalog a'),
        err: expect.not.stringContaining('Saved the plan'),
      })
      expect(planned.out).toContain('add --take-over')
      expect(existsSync(join(home, 'b.plan'))).toBe(false)
      await isOwnedBy('a')
      expect(await json('template', 'get', coupon)).toMatchObject({
        properties: { template: { private: { color: 'blue' } } },
      })
    })

    test('says so when it is made and when it is carried out, and a second time does nothing', async () => {
      const { vatom, isOwnedBy } = await overlapping()
      const carry = 'To carry it out, including taking over 1 record of the catalog a: vatom apply b.plan\n'
      expect((await vatom('plan', 'b', '--take-over', '--out', 'b.plan')).err).toContain(`Saved the plan. ${carry}`)
      expect((await vatom('plan', 'show', 'b.plan')).err).toContain(carry)
      const said = `After apply, 1 record of the catalog a belongs to b:\n  > template ${coupon} (b/coupon.yaml)\n`
      const done = await vatom('apply', 'b.plan')
      expect(done).toMatchObject({ code: 0, err: expect.stringContaining(said) })
      await isOwnedBy('b')
      const again = await vatom('apply', 'b.plan')
      expect(again).toMatchObject({ code: 0, err: expect.not.stringContaining('belongs') })
    })

    test('covers no record that another catalog took over after it was made', async () => {
      const { vatom, file, json, isOwnedBy } = await overlapping()
      await vatom('plan', 'b', '--take-over', '--out', 'b.plan')
      file('c/vatom.yaml', 'catalog: c\n')
      file('c/coupon.yaml', template())
      await json('apply', 'c', '--yes', '--take-over')
      const refused = await vatom('apply', 'b.plan')
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('1 record of the catalog c') })
      await isOwnedBy('c')
    })

    test.each([
      ['--prune', 'a'],
      ['--prune-unowned', undefined],
    ])('deletes no record that another catalog took over after it was made with %s', async (option, owner) => {
      const desk = await twoCatalogs()
      const { vatom, json, file } = desk
      const icon = face().replace('view_mode: icon', 'view_mode: fullscreen')
      if (owner === undefined) {
        file('none.yaml', icon)
        await json('face', 'register', 'none.yaml')
      } else {
        file('a/full.yaml', icon)
        await json('apply', 'a', '--yes')
        rmSync(join(desk.home, 'a', 'full.yaml'))
      }
      expect(await json('plan', 'a', option, '--out', 'a.plan')).toMatchObject({ summary: { delete: 1 } })
      file('b/full.yaml', icon)
      await json('apply', 'b', '--yes', '--take-over')
      const refused = await vatom('apply', 'a.plan')
      expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/fullscreen.* belongs to the catalog b\n/) })
      expect(await json('face', 'list', coupon)).toHaveLength(3)
    })

    test('is something to do for plan --exit-code', async () => {
      const { vatom, json } = await overlapping()
      const { code, err, out } = await vatom('plan', 'b', '--exit-code')
      expect({ code, out }).toEqual({ code: 10, out: expect.stringContaining('2 unchanged; 1 to take over') })
      expect(err).not.toContain('error')
      expect(await json('plan', 'b')).toMatchObject({ summary: { take_over: 1, unchanged: 2 } })
      await json('apply', 'b', '--yes', '--take-over')
      expect(await vatom('plan', 'b', '--exit-code')).toMatchObject({ code: 0 })
      expect(await json('plan', 'b')).toMatchObject({ summary: { take_over: 0 } })
    })
  })

  test('pull into a catalog with a name leaves out what another one owns, and says so', async () => {
    const { json, vatom, file, home } = await twoCatalogs()
    file('c/vatom.yaml', 'catalog: c\n')
    file('c/other.yaml', template('$publisher::Other::v1'))
    await json('apply', 'c', '--yes')
    const names = (folder: string) => readdirSync(join(home, folder), { recursive: true }).map(String).sort()
    const before = names('c')
    const { code, err } = await vatom('pull', 'c')
    expect(code).toBe(0)
    expect(err).toContain(
      '3 documents of other catalogs were left out (2 of a, 1 of b); to write them too: vatom pull c --all-catalogs\n',
    )
    expect((await vatom('pull', 'c', '--all-versions')).err).toContain(
      'to write them too: vatom pull c --all-versions --all-catalogs\n',
    )
    expect(names('c')).toEqual(before)
    expect((await vatom('pull', 'a')).err).toContain('(1 of b, 1 of c)')
    expect((await vatom('pull', 'fresh')).err).not.toContain('left out')
    const all = await vatom('pull', 'c', '--all-catalogs')
    expect(all.err).not.toContain('left out')
    expect(all.err).toContain('3 of 3 documents belong to other catalogs (2 of a, 1 of b), until apply takes them over')
    expect(names('c').length).toBeGreaterThan(before.length)
  })

  test('pull that overwrites documents of another catalog says whose they are, and none where it owns all', async () => {
    const { json, vatom, file } = await twoCatalogs()
    file('c/vatom.yaml', 'catalog: c\n')
    expect((await vatom('pull', 'new')).err).toMatch(/3 of 3 documents belong to other catalogs \(2 of a, 1 of b\)/)
    file('c/tea.yaml', template().replace('blue', 'green'))
    const { code, err } = await vatom('pull', 'c', '--yes')
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('1 of 1 document belongs to other catalogs (1 of a), until apply takes them over'),
    })
    file('c/tea.yaml', template().replace('blue', 'green'))
    expect(await json('pull', 'c', '--yes')).toMatchObject({ results: [{ status: 'updated', catalog: 'a' }] })
    await json('apply', 'c', '--yes', '--take-over')
    file('c/tea.yaml', template().replace('blue', 'green'))
    expect((await vatom('pull', 'c', '--yes')).err).not.toContain('belong')
  })

  describe('pull into a folder that has documents and no name', () => {
    /** A folder that was applied, beside a catalog with a name and a template of no catalog. */
    async function unnamed() {
      const desk = await publisher()
      desk.file('shop/vatom.yaml', 'catalog: shop\n')
      desk.file('shop/tea.yaml', [template('$publisher::Tea::v1'), face('$publisher::Tea::v1')].join('---\n'))
      await desk.json('apply', 'shop', '--yes')
      desk.file('collect/coupon.yaml', template())
      await desk.json('apply', 'collect', '--yes')
      return { ...desk, names: () => readdirSync(join(desk.home, 'collect')).sort() }
    }
    const leftOut = '2 documents of other catalogs were left out (2 of shop); to write them too: vatom pull collect'

    test('leaves out what a catalog with a name owns, and says how to get it', async () => {
      const { vatom, names } = await unnamed()
      const { code, out, err } = await vatom('pull', 'collect')
      expect({ code, out }).toEqual({ code: 0, out: '' })
      expect(err).toBe(`${leftOut} --all-catalogs\n1 document: 1 unchanged\n`)
      expect(names()).toEqual(['coupon.yaml'])
      expect(await vatom('pull', 'collect', '--all-catalogs')).toMatchObject({ code: 0 })
      expect(names()).toEqual(['.vatom', 'coupon.yaml', 'tea.faces.yaml', 'tea.yaml', 'vatom.yaml'])
    })

    test('writes them where a killed pull of a new folder left its files', async () => {
      const { vatom, file, names } = await unnamed()
      const { pid } = spawnSync(process.execPath, ['--version'])
      file(`collect/.vatom-${pid}__${machineName()}-0.tmp`, '')
      expect(await vatom('pull', 'collect')).toMatchObject({ code: 0, err: expect.not.stringContaining('left out') })
      expect(names()).toEqual(['.vatom', 'coupon.yaml', 'tea.faces.yaml', 'tea.yaml', 'vatom.yaml'])
    })

    test('asks about a template that no catalog owns', async () => {
      const { run, file, json, names } = await unnamed()
      file('loose.yaml', template('$publisher::Loose::v1'))
      await json('template', 'create', 'loose.yaml')
      const answers = (answer: string) => ({ tty: true, answers: { 'Add local.vatom::Loose::v1': answer } })
      expect(await run(['pull', 'collect'], answers('n'))).toMatchObject({ code: 0 })
      expect(names()).toEqual(['coupon.yaml'])
      expect(await run(['pull', 'collect'], answers('y'))).toMatchObject({ code: 0 })
      expect(names()).toContain('loose.yaml')
    })

    test('asks where more of its own is new than is there', async () => {
      const { run, vatom, file, home, names } = await unnamed()
      file('collect/faces.yaml', [face(), face(undefined, 'card')].join('---\n'))
      expect(await vatom('apply', 'collect', '--yes')).toMatchObject({ code: 0 })
      rmSync(join(home, 'collect/faces.yaml'))
      const asked = 'Add local.vatom::Coupon::v1, 2 documents'
      const answered = await run(['pull', 'collect'], { tty: true, answers: { [asked]: 'n' } })
      expect(answered).toMatchObject({ code: 0, err: expect.stringContaining('2 documents of other catalogs') })
      expect(names()).toEqual(['coupon.yaml'])
      expect(await vatom('pull', 'collect')).toMatchObject({ code: 0 })
      expect(names()).toContain('coupon.faces.yaml')
    })
  })

  describe('a document in another folder than its catalog’s', () => {
    /** A catalog with a vAtom of a draft, whose document was moved out of it. */
    async function moved(to: string, files: Readonly<Record<string, string>> = {}) {
      const desk = await publisher()
      const write = (all: Readonly<Record<string, string>>) => {
        for (const [name, text] of Object.entries(all)) desk.file(name, text)
      }
      write({ 'a/vatom.yaml': 'catalog: a\n', 'a/coupon.yaml': template(), 'a/red.yaml': variation(), ...files })
      await desk.json('apply', 'a', '--yes')
      await desk.json('emit', 'local.vatom::Coupon::v1::Red')
      rmSync(join(desk.home, 'a/red.yaml'))
      desk.file(to, to.endsWith('.json') ? JSON.stringify(parse(variation())) : variation())
      return { ...desk, vatoms: async () => at(await desk.json('inventory'), 'vatoms') }
    }
    const chmod755 = (path: string) => chmodSync(path, 0o755)
    const linked = (path: string) => {
      renameSync(path, path.replace('yaml', 'txt'))
      symlinkSync('red.txt', path)
    }
    const gitIn =
      (cwd: string) =>
      (...args: string[]) =>
        execFileSync('git', ['-c', 'user.email=a@example.com', '-c', 'user.name=a', ...args], { cwd, stdio: 'ignore' })
    const stays = (folder: string) => `? variation local.vatom::Coupon::v1::Red: also in ${folder}, so it stays; `
    const ignored = (name: string) =>
      `? variation local.vatom::Coupon::v1::Red: in ${name}, which its catalog ignores, so it stays; vatom variation delete `
    const held = "vatom variation delete 'local.vatom::Coupon::v1::Red' deletes it"

    test('of the same repository is not deleted by --prune, until the other catalog has it', async () => {
      const { run, vatoms, vatom, file, home } = await moved('b/red.yaml', { 'b/vatom.yaml': 'catalog: b\n' })
      file('.git/HEAD', 'ref: refs/heads/main\n')
      for (const words of [
        ['plan', 'a', '--prune'],
        ['apply', 'a', '--prune', '--yes'],
      ]) {
        const { code, out, err } = await run(words, { env: job })
        expect({ code, out: out + err }).toEqual({
          code: 0,
          out: expect.stringContaining(`${stays('b')}vatom apply b --take-over makes it of that catalog, ${held}`),
        })
      }
      expect(await vatoms()).toHaveLength(1)
      expect(JSON.parse((await run(['plan', 'a', '--prune', '--json'], { env: job })).out)).toMatchObject({
        unlisted: [{ name: 'local.vatom::Coupon::v1::Red', also_in: 'b' }],
        summary: { delete: 0 },
      })
      expect(await vatom('apply', 'b', '--take-over', '--yes')).toMatchObject({ code: 0 })
      expect((await vatom('plan', 'a', '--prune')).out).toContain(
        `Red with 1 vAtom: of the catalog b; if there is no such catalog any more: ${held}\n`,
      )
      rmSync(join(home, 'b/red.yaml'))
      file('b/tea.yaml', template('$publisher::Tea::v1'))
      expect(await run(['apply', 'b', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
      expect(await vatoms()).toEqual([])
    })

    test('is named once by apply, its template too, with the vAtoms that a deletion of that would delete', async () => {
      const { run, file, home } = await moved('b/red.yaml', {
        'b/vatom.yaml': 'catalog: b\n',
        'b/coupon.yaml': template(),
      })
      rmSync(join(home, 'a/coupon.yaml'))
      file('a/tea.yaml', template('$publisher::Tea::v1'))
      const kept = `also in b; vatom apply b --take-over makes it of that catalog, vatom template delete '${coupon}' deletes it`
      const asked = { tty: true, columns: 300, answers: { 'Apply this plan': 'y' } }
      for (const [words, options] of [
        [['plan', 'a', '--prune'], { env: job }],
        [['apply', 'a', '--prune'], asked],
        [['apply', 'a', '--prune', '--yes'], { env: job }],
      ] as const) {
        const { code, out, err } = await run([...words], options)
        const lines = (out + err).split('\n').filter((line) => line.startsWith('  ? '))
        expect({ code, lines }).toEqual({
          code: 0,
          lines: [`  ? template ${coupon} with 1 variation and 1 vAtom: ${kept}`, expect.stringContaining(stays('b'))],
        })
      }
    })

    test('that a catalog beside it has stays where both were exported without git, but for another export', async () => {
      const { run, vatoms, file } = await moved('b/red.yaml', { 'b/vatom.yaml': 'catalog: b\n' })
      const left = await run(['apply', 'a', '--prune', '--yes'], { env: job })
      expect(left).toMatchObject({ code: 0 })
      expect(left.out + left.err).toContain(stays('b'))
      expect(await vatoms()).toHaveLength(1)
      for (const name of ['a', 'b']) file(`${name}/vatom.yaml`, 'ignore: [x]\n')
      expect((await run(['plan', 'a', '--prune'], { env: job })).out).not.toContain('  - ')
      for (const name of ['a', 'b']) file(`${name}/vatom.yaml`, 'catalog: a\n')
      file('b/coupon.yaml', template())
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
      expect(await vatoms()).toEqual([])
    })

    test.each<[string, string, Record<string, string>, string]>([
      ['a folder', 'o/sub/red.yaml', {}, ignored('o/sub/red.yaml')],
      ['a catalog of its own', 'o/sub/red.yaml', { 'o/sub/vatom.yaml': 'catalog: sub\n' }, stays('o/sub')],
      ['a file', 'o/red.yaml', {}, ignored('o/red.yaml')],
    ])(
      'that %s has stays where a catalog beside it ignores that, and there is no repository',
      async (_, to, more, line) => {
        const ignoring = { 'o/vatom.yaml': 'catalog: o\nignore: [sub/, red.yaml]\n' }
        const { run, vatoms } = await moved(to, { ...ignoring, ...more })
        const { code, out, err } = await run(['apply', 'a', '--prune', '--yes'], { env: job })
        expect({ code, out: out + err }).toEqual({ code: 0, out: expect.stringContaining(line) })
        expect(await vatoms()).toHaveLength(1)
      },
    )

    test.each([
      ['in a folder beside it', 'b/red.yaml', 'b'],
      ['below a folder beside it, as JSON', 'b/more/red.json', 'b/more'],
    ])('%s is not deleted where nothing marks a catalog there, and there is no repository', async (_, to, place) => {
      const { run, vatoms, home } = await moved(to)
      for (const env of [job, {}]) {
        const { code, out, err } = await run(['apply', 'a', '--prune', '--yes'], { env })
        expect({ code, out: out + err }).toEqual({ code: 0, out: expect.stringContaining(stays(place)) })
      }
      expect(await vatoms()).toHaveLength(1)
      rmSync(join(home, to))
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
      expect(await vatoms()).toEqual([])
    })

    test('is deleted where only another repository, a folder with a dot or one deeper below has it', async () => {
      const { run, vatoms, file, home } = await moved('clone/red.yaml', { 'clone/.git/HEAD': 'ref: refs/heads/main\n' })
      file('.old/red.yaml', variation())
      file('b/more/below/red.yaml', variation())
      file('b/broken.yaml', 'template: [')
      symlinkSync('nowhere', join(home, 'b/dead'))
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
      expect(await vatoms()).toEqual([])
    })

    const manyFolders = ({ home }: Desk) => {
      for (let index = 0; index * 100 < limits.beside; index++)
        for (let inner = 0; inner < 100; inner++) mkdirSync(join(home, `many/${index}/${inner}`), { recursive: true })
    }
    const largeFiles = ({ file }: Desk) => {
      for (let size = 0; size <= limits.besideBytes; size += limits.file - 1)
        file(`b/${size}.yaml`, '#'.padEnd(limits.file - 1, 'x'))
    }

    const manyOthers = ({ home }: Desk) => {
      mkdirSync(join(home, 'aa'))
      for (let index = 0; index <= limits.beside; index++) writeFileSync(join(home, 'aa', `${index}.jpg`), '')
    }
    const linkedFile = ({ home }: Desk) => {
      mkdirSync(join(home, '.store'))
      renameSync(join(home, 'b/red.yaml'), join(home, '.store/red.yaml'))
      symlinkSync('../.store/red.yaml', join(home, 'b/red.yaml'))
    }

    test.each([
      ['others many folders', manyFolders],
      ['others very large files', largeFiles],
      ['one before it many files of other kinds', manyOthers],
      ['it is a link to a file there', linkedFile],
    ])('is not deleted where a folder beside it has it, and %s', async (_, make) => {
      const desk = await moved('b/red.yaml')
      make(desk)
      const { code, out, err } = await desk.run(['apply', 'a', '--prune', '--yes'], { env: job })
      expect({ code, out: out + err }).toEqual({ code: 0, out: expect.stringContaining(stays('b')) })
      expect(await desk.vatoms()).toHaveLength(1)
    })

    test('is deleted where it is deeper than more folders than are looked at', async () => {
      const desk = await moved('zoo/more/red.yaml')
      manyFolders(desk)
      expect(await desk.run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({
        code: 0,
        err: expect.stringContaining('warning: there is too much beside a to look at all of it'),
      })
      expect(await desk.vatoms()).toEqual([])
    })

    test.runIf(process.getuid?.() === 0)('is deleted where only another user has it beside it', async () => {
      const { run, vatoms, home } = await moved('b/red.yaml')
      chownSync(join(home, 'b'), 1, 1)
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
      expect(await vatoms()).toEqual([])
    })

    test('is deleted where only a file beside it has it that is larger than one of documents may be', async () => {
      const { run, vatoms, file } = await moved('b/red.yaml')
      file('b/red.yaml', `${variation()}${'#'.padEnd(limits.file, 'x')}\n`)
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
      expect(await vatoms()).toEqual([])
    })

    test.each([
      ['its own name of the publisher', '$publisher'],
      ['the name of the publisher', 'local.vatom'],
    ])(
      'refuses --prune where a damaged file beside it, or elsewhere in the repository, names it by %s',
      async (_, by) => {
        const { run, vatoms, file, home } = await moved('b/red.yaml')
        const lines = ['<<<<<<< main', '=======', '>>>>>>> draft'].join(
          `\ntemplate_variation: ${by}::Coupon::v1::Red\n`,
        )
        file('b/red.yaml', `${lines}\n`)
        const isRefused = async () => {
          const { code, err } = await run(['apply', 'a', '--prune', '--yes'], { env: job })
          expect({ code, err }).toEqual({
            code: 2,
            err: expect.stringContaining(
              'error: b/red.yaml, which names records of local.vatom, cannot be read: --prune may delete',
            ),
          })
        }
        await isRefused()
        expect(await run(['plan', 'a'], { env: job })).toMatchObject({ code: 0 })
        gitIn(home)('init')
        gitIn(home)('add', '.')
        await isRefused()
        expect(await vatoms()).toHaveLength(1)
        file('b/red.yaml', lines.replaceAll(by, 'other'))
        expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
        expect(await vatoms()).toEqual([])
      },
    )

    test('that cannot be read is no reason where a template is missing, and nothing would be deleted', async () => {
      const { run, file, home } = await moved('b/red.yaml')
      rmSync(join(home, 'b/red.yaml'))
      file('a/red.yaml', variation())
      file('a/mug.yaml', variation('$publisher::Mug::v1::Red').replace('::Coupon::v1\n', '::Mug::v1\n'))
      file('b/zoo.yaml', '<<<<<<< main\ntemplate: $publisher::Zoo::v1\n')
      const { out, err } = await run(['plan', 'a', '--prune'], { env: job })
      expect(out + err).toContain('no template is named local.vatom::Mug::v1')
      expect(out + err).not.toContain('zoo.yaml')
    })

    test('of a catalog of the same name beside it refuses --prune where there is no repository', async () => {
      const { run, vatoms } = await moved('a-2026/red.yaml', { 'a-2026/vatom.yaml': 'catalog: a\n' })
      for (const words of [
        ['plan', 'a', '--prune'],
        ['apply', 'a', '--prune', '--yes'],
      ]) {
        const { code, out, err } = await run(words)
        expect(code).toBe(1)
        expect(err).toContain('warning[catalog-name]: a-2026 is a catalog named a, too')
        expect(out + err).toContain('Red cannot be deleted: a-2026 has it, and is a catalog named a, too')
        expect(out + err).toContain('; if a-2026 is the checkout of another job, set CI=1 in each')
      }
      expect(await vatoms()).toHaveLength(1)
    })

    test('that git keeps anywhere in the repository is not deleted, and one that is in none is', async () => {
      const { run, vatoms, home } = await moved('teams/x/deep/red.yaml', { 'teams/other.yaml': 'services: []\n' })
      gitIn(home)('init')
      gitIn(home)('add', '.')
      const left = await run(['apply', 'a', '--prune', '--yes'], { env: job })
      expect(left).toMatchObject({ code: 0 })
      expect(left.out + left.err).toContain(stays('teams/x/deep'))
      expect(await vatoms()).toHaveLength(1)
      rmSync(join(home, 'teams/x/deep/red.yaml'))
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
      expect(await vatoms()).toEqual([])
    })

    test('that a file beside the catalogs has is not deleted, and taken over by that file alone', async () => {
      const { run, json, home } = await moved('red.yaml', {
        'b/vatom.yaml': 'catalog: b\n',
        'b/coupon.yaml': template(),
      })
      gitIn(home)('init')
      gitIn(home)('add', '.')
      const { out } = await run(['plan', 'a', '--prune'], { env: job })
      expect(out).toContain(`${stays('red.yaml')}vatom apply red.yaml --take-over makes it of that catalog, ${held}\n`)
      expect(await json('apply', 'red.yaml', '--take-over', '--yes')).toMatchObject({ summary: { failed: 0 } })
    })

    test('that a submodule has is not deleted, also where a sparse checkout of that leaves it out', async () => {
      const { run, vatoms, home } = await moved('menu/m/red.yaml', { 'menu/m/vatom.yaml': 'catalog: m\n' })
      const [outer, inner] = [gitIn(home), gitIn(join(home, 'menu'))]
      for (const git of [inner, outer]) {
        git('init')
        git('add', '.')
        git('commit', '-m', 'x')
      }
      const left = await run(['apply', 'a', '--prune', '--yes'], { env: job })
      expect(left).toMatchObject({ code: 0 })
      expect(left.out + left.err).toContain(stays('menu/m'))
      inner('sparse-checkout', 'set', '--no-cone', '/none/')
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({
        code: 2,
        err: expect.stringContaining('menu/m is a catalog that is not in this checkout, which is a sparse one'),
      })
      expect(await vatoms()).toHaveLength(1)
    })

    test('that may be run, or that a link leads to, is not deleted either', async () => {
      for (const how of [chmod755, linked]) {
        const { run, home, vatoms } = await moved('far/away/red.yaml')
        how(join(home, 'far/away/red.yaml'))
        gitIn(home)('init')
        gitIn(home)('add', '.')
        const left = await run(['apply', 'a', '--prune', '--yes'], { env: job })
        expect(left.out + left.err).toContain(stays('far/away'))
        expect(await vatoms()).toHaveLength(1)
      }
    })

    test('of a catalog that cannot be read, or is not in a sparse checkout, refuses --prune', async () => {
      const { run, vatom, file, home, vatoms } = await moved('b/red.yaml', { 'b/vatom.yaml': 'catalog: b\n' })
      const red = readFileSync(join(home, 'b/red.yaml'), 'utf8')
      file('b/red.yaml', `<<<<<<< HEAD\n${red}`)
      const git = gitIn(home)
      git('init')
      git('add', '.')
      for (const words of [
        ['plan', 'a', '--prune'],
        ['apply', 'a', '--prune', '--yes'],
      ])
        expect(await run(words, { env: job })).toMatchObject({
          code: 2,
          err: expect.stringContaining(
            'error: b/red.yaml, of another catalog, cannot be read: --prune may delete what it describes\nhint: correct the file',
          ),
        })
      expect(await vatom('plan', 'a')).toMatchObject({ code: 0 })
      file('b/red.yaml', red)
      git('add', '.')
      git('commit', '-m', 'x')
      git('sparse-checkout', 'set', '--no-cone', '/a/')
      expect(await run(['plan', 'a', '--prune'], { env: job })).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          'error: b is a catalog that is not in this checkout, which is a sparse one: --prune may',
        ),
      })
      expect(await vatom('plan', 'a')).toMatchObject({ code: 0 })
      expect(await vatoms()).toHaveLength(1)
    })

    test.each([
      'hello',
      '<html><body>502 Bad Gateway</body></html>',
      '42',
      "'quoted'",
      'null',
      '[]',
      '{}',
      'display_url: native://image\n',
      'template: $publisher::Coupon::v1\ndisplay_url: native://image\n',
    ])('of a catalog in whose file nothing names a record, as %s, refuses --prune', async (text) => {
      const { run, vatom, file, home, vatoms } = await moved('b/red.yaml', { 'b/vatom.yaml': 'catalog: b\n' })
      file('b/red.yaml', `${text}\n`)
      const git = gitIn(home)
      git('init')
      git('add', '.')
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({
        code: 2,
        err: expect.stringContaining('error: b/red.yaml, of another catalog, cannot be read: --prune may delete'),
      })
      expect(await vatoms()).toHaveLength(1)
      expect(await vatom('plan', 'a')).toMatchObject({ code: 0 })
    })

    test('of a part of a catalog that is not in the checkout refuses --prune', async () => {
      const { run, home, vatoms, vatom } = await moved('b/winter/red.yaml', { 'b/vatom.yaml': 'catalog: b\n' })
      const git = gitIn(home)
      git('init')
      git('add', '.')
      git('commit', '-m', 'x')
      const refused = async (what: string) => {
        const { code, err } = await run(['apply', 'a', '--prune', '--yes'], { env: job })
        expect({ code, vatoms: await vatoms() }).toEqual({ code: 2, vatoms: [expect.anything()] })
        expect(err).toContain(`${what}\n`)
        expect(await vatom('plan', 'a')).toMatchObject({ code: 0 })
      }
      const absent = 'error: b/winter/red.yaml is a file of another catalog that is not in this checkout'
      const deletes = '--prune may delete what it describes\nhint:'
      git('sparse-checkout', 'set', '--cone', 'a', 'b/summer')
      await refused(`${absent}, which is a sparse one: ${deletes} check it out, too: git sparse-checkout add b/winter`)
      git('sparse-checkout', 'set', '--cone', '--sparse-index', 'a')
      const untold = 'is not in this checkout, which is a sparse one, and its sparse index does not tell what is in it'
      await refused(`${untold}: ${deletes} have the index tell: git sparse-checkout reapply --no-sparse-index`)
      git('sparse-checkout', 'reapply', '--no-sparse-index')
      git('sparse-checkout', 'add', 'b/winter')
      expect((await run(['plan', 'a', '--prune'], { env: job })).out).toContain(stays('b'))
      rmSync(join(home, 'b/winter'), { recursive: true })
      const remedy = 'put it there: git restore b/winter/red.yaml; if it was removed or moved: git rm -r --cached'
      await refused(
        `${absent}, although it is in the index of git: ${deletes} ${remedy} b/winter/red.yaml, and commit that`,
      )
      git('rm', '-r', '--cached', 'b/winter/red.yaml')
      git('commit', '-m', 'remove')
      expect((await run(['plan', 'a', '--prune'], { env: job })).out).toContain('  - ')
    })

    test('that a dead link of another catalog leads to is not deleted', async () => {
      const { run, home, vatoms } = await moved('far/red.yaml', { 'b/vatom.yaml': 'catalog: b\n' })
      symlinkSync('../far/red.yaml', join(home, 'b/red.yaml'))
      const git = gitIn(home)
      git('init')
      git('add', '.')
      expect((await run(['plan', 'a', '--prune'], { env: job })).out).toContain('so it stays')
      git('commit', '-m', 'x')
      git('sparse-checkout', 'set', '--cone', 'a', 'b')
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          'error: b/red.yaml, of another catalog, links to a file that is not there: --prune may delete what it describes\nhint: put that file there, or remove the link\n',
        ),
      })
      expect(await vatoms()).toHaveLength(1)
    })

    test.each([
      ['beside this one', 'b', 'b/red.yaml, of another catalog, is no regular file'],
      [
        'elsewhere in the repository',
        'far/b',
        'far/b/red.yaml is a file of another catalog that is not in this checkout',
      ],
    ])('that a pipe has the place of, in a catalog %s, is not deleted', async (_, folder, refusal) => {
      const { run, home, vatoms } = await moved(`${folder}/red.yaml`, { [`${folder}/vatom.yaml`]: 'catalog: b\n' })
      const git = gitIn(home)
      git('init')
      git('add', '.')
      expect((await run(['plan', 'a', '--prune'], { env: job })).out).toContain('so it stays')
      rmSync(join(home, folder, 'red.yaml'))
      execFileSync('mkfifo', [join(home, folder, 'red.yaml')])
      if (folder === 'b') rmSync(join(home, '.git'), { recursive: true })
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({
        code: 2,
        err: expect.stringContaining(refusal),
      })
      expect(await vatoms()).toHaveLength(1)
    })

    test.each<Readonly<Record<string, string>>>([{ 'far/b/vatom.yaml': 'catalog: b\n' }, {}])(
      'in a folder that a link leads to which the catalog ignores is not deleted: %j',
      async (others) => {
        const { run, file, home, vatoms } = await moved('far/b/red.yaml', others)
        symlinkSync('../far/b', join(home, 'a/link'))
        file('a/vatom.yaml', 'catalog: a\nignore: [link]\n')
        expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
        expect(await vatoms()).toHaveLength(1)
        rmSync(join(home, 'far/b/red.yaml'))
        expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
        expect(await vatoms()).toEqual([])
      },
    )

    test('in a folder that a link in such a folder leads to refuses --prune', async () => {
      const { run, file, home, vatoms } = await moved('away/red.yaml', {
        'far/tea.yaml': template('$publisher::Tea::v1'),
      })
      symlinkSync('../far', join(home, 'a/link'))
      symlinkSync('../away', join(home, 'far/link'))
      file('a/vatom.yaml', 'catalog: a\nignore: [link]\n')
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          'a/link/link, which the catalog ignores, is a link to a folder, which is not followed: --prune may',
        ),
      })
      expect(await vatoms()).toHaveLength(1)
    })

    test('in a folder that a link leads to which git has there as a text is not deleted', async () => {
      const { run, home, vatoms } = await moved('far/away/red.yaml', { 'b/vatom.yaml': 'catalog: b\n' })
      symlinkSync('../far/away', join(home, 'b/link'))
      const git = gitIn(home)
      git('init')
      git('add', 'a', 'b')
      git('config', 'core.symlinks', 'false')
      rmSync(join(home, 'b/link'))
      git('checkout', '--', 'b/link')
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
      expect(await vatoms()).toHaveLength(1)
    })

    test('in a folder that a link of another catalog leads to is not deleted', async () => {
      for (const isInGit of [true, false]) {
        const { run, home, vatoms } = await moved('far/away/red.yaml', {
          'b/vatom.yaml': 'catalog: b\n',
          'b/tea.yaml': template('$publisher::Tea::v1'),
        })
        symlinkSync('../far/away', join(home, 'b/link'))
        const git = gitIn(home)
        if (isInGit) {
          git('init')
          git('add', 'a', 'b')
        }
        const prune = () => run(['apply', 'a', '--prune', '--yes'], { env: job })
        const refused = (is: string) => ({
          code: 2,
          err: expect.stringContaining(
            `error: b/link, of another catalog, ${is}: --prune may delete what it describes\nhint: `,
          ),
        })
        expect((await run(['plan', 'a', '--prune'], { env: job })).out).toContain(stays('far/away'))
        if (isInGit) {
          writeFileSync(join(home, 'far/away/README.md'), 'tea')
          git('add', 'far/away/README.md')
          expect((await run(['plan', 'a', '--prune'], { env: job })).out).toContain(stays('far/away'))
        }
        rmSync(join(home, 'far'), { recursive: true })
        expect(await prune()).toMatchObject(refused('links to a file or folder that does not exist'))
        expect(await vatoms()).toHaveLength(1)
        writeFileSync(join(home, 'b/vatom.yaml'), 'catalog: b\nignore: [link]\n')
        expect(await prune()).toMatchObject({ code: 0 })
        expect(await vatoms()).toEqual([])
      }
    })

    test('whose name, or whose catalog, begins with a dot is not deleted', async () => {
      for (const [file, folder] of [
        ['far/.catalog/red.yaml', 'far/.catalog'],
        ['far/b/.red.yaml', 'far/b'],
      ] as const) {
        const { run, home, vatoms } = await moved(file, {
          [`${folder}/vatom.yaml`]: 'catalog: b\n',
          [`${folder}/.other/broken.yaml`]: 'template: [\n',
        })
        gitIn(home)('init')
        gitIn(home)('add', '.')
        const left = await run(['apply', 'a', '--prune', '--yes'], { env: job })
        expect(left.out + left.err).toContain(stays(folder))
        expect(await vatoms()).toHaveLength(1)
      }
    })

    test('of a catalog that only the index of git has refuses --prune', async () => {
      const { run, home, vatoms } = await moved('far/b/red.yaml', { 'far/b/vatom.yaml': 'catalog: b\n' })
      const git = gitIn(home)
      git('init')
      git('add', '.')
      git('commit', '-m', 'x')
      rmSync(join(home, 'far'), { recursive: true })
      expect(await run(['plan', 'a', '--prune'], { env: job })).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          'error: far/b is a catalog that is not in this checkout, although it is in the index of git: --prune may delete what it describes\nhint: put it there: git restore far/b; if it was removed or moved: git rm -r --cached far/b, and commit that\n',
        ),
      })
      expect(await run(['plan', 'a'], { env: job })).toMatchObject({ code: 0 })
      git('restore', 'far/b')
      rmSync(join(home, 'far/b/vatom.yaml'))
      expect((await run(['plan', 'a', '--prune'], { env: job })).out).toContain(stays('far/b'))
      git('rm', '-r', '--cached', 'far/b')
      git('commit', '-m', 'remove')
      rmSync(join(home, 'far'), { recursive: true })
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
      expect(await vatoms()).toEqual([])
    })

    test('that was applied by itself is not deleted, and its folder is not read', async () => {
      const { vatom, json, file, home } = await publisher()
      file('home/a.yaml', [template(), variation()].join('---\n'))
      await json('apply', 'home/a.yaml', '--yes')
      cpSync(join(home, 'home/a.yaml'), join(home, 'b/a.yaml'))
      await json('apply', 'b', '--yes')
      file('b/a.yaml', template())
      file('home/broken/vatom.yaml', 'catalog: broken\n')
      file('home/broken/a.yaml', 'template: [\n')
      expect((await vatom('plan', 'b', '--prune')).out).toContain(stays('home/a.yaml'))
    })

    test('from which this one was copied is not deleted, also where neither has a name', async () => {
      const { vatom, json, file, home } = await publisher()
      file('a/coupon.yaml', template())
      file('a/red.yaml', variation())
      await json('apply', 'a', '--yes')
      cpSync(join(home, 'a'), join(home, 'b'), { recursive: true })
      await json('apply', 'b', '--yes')
      rmSync(join(home, 'b/red.yaml'))
      expect((await vatom('plan', 'b', '--prune')).out).toContain(stays('a'))
      expect(await vatom('apply', 'b', '--prune', '--yes')).toMatchObject({ code: 0 })
      expect(await json('variation', 'list')).toHaveLength(1)
      rmSync(join(home, 'a'), { recursive: true })
      expect(await vatom('apply', 'b', '--prune', '--yes')).toMatchObject({ code: 0 })
      expect(await json('variation', 'list')).toEqual([])
    })

    test('that was applied on this machine is not deleted, except in a pipeline', async () => {
      const { run, vatom, vatoms, json, file, home } = await moved('bar/red.yaml', {
        'bar/.git/HEAD': 'ref: refs/heads/main\n',
      })
      file('bar/tea.yaml', template('$publisher::Tea::v1'))
      await json('apply', 'bar/tea.yaml', '--yes')
      expect((await vatom('plan', 'a', '--prune')).out).not.toContain('stays')
      rmSync(join(home, 'bar/red.yaml'))
      await json('apply', 'bar', '--yes')
      file('bar/red.yaml', variation())
      expect((await vatom('plan', 'a', '--prune')).out).toContain(stays('bar'))
      expect(await vatom('apply', 'a', '--prune', '--yes')).toMatchObject({ code: 0 })
      expect(await vatoms()).toHaveLength(1)
      expect(await run(['apply', 'a', '--prune', '--yes'], { env: job })).toMatchObject({ code: 0 })
      expect(await vatoms()).toEqual([])
    })
  })

  /** What this machine has recorded, a text for each service. */
  const recordedIn = (home: string) => {
    const folder = join(home, '.local', 'share', 'vatom', 'owners')
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  }

  test('nothing is kept in a pipeline of folders that are no more, as of those of earlier jobs', async () => {
    const { run, file, home } = await publisher()
    const recorded = () => recordedIn(home)
    const apply = async (build: string, env: Readonly<Record<string, string>>, catalog = 'A') => {
      file(`${build}/vatom.yaml`, `catalog: ${catalog}\n`)
      file(`${build}/coupon.yaml`, template(`$publisher::${catalog}::v1`))
      file(`${build}/red.yaml`, variation(`$publisher::${catalog}::v1::${build}`, `$publisher::${catalog}::v1`))
      expect(await run(['apply', build, '--yes'], { env })).toMatchObject({ code: 0 })
    }
    await apply('Kept', job)
    await apply('First', job)
    rmSync(join(home, 'First'), { recursive: true })
    await apply('Other', {})
    await apply('Away', job, 'B')
    rmSync(join(home, 'Away'), { recursive: true })
    expect(recorded()).toEqual([expect.stringContaining(join(home, 'First'))])
    await apply('Second', job)
    const paths = (build: string) => [`"folder ${join(home, build)}"`, `"documents ${join(home, build, 'red.yaml')}"`]
    for (const path of [...paths('Kept'), ...paths('Away'), ...paths('Second')])
      expect(recorded()).toEqual([expect.stringContaining(path)])
    expect(recorded()).toEqual([expect.not.stringContaining(join(home, 'First'))])
    expect(recorded()).toEqual([expect.stringContaining('A::v1::First')])
  })

  test('nor is anything of catalogs without a name', async () => {
    const { run, file, home } = await publisher()
    for (const build of ['Kept', 'First', 'Second']) {
      file(`${build}/coupon.yaml`, template(`$publisher::${build}::v1`))
      expect(await run(['apply', build, '--yes'], { env: job })).toMatchObject({ code: 0 })
      if (build === 'First') rmSync(join(home, build), { recursive: true })
    }
    const recorded = recordedIn(home)
    for (const build of ['Kept', 'Second'])
      expect(recorded).toEqual([expect.stringContaining(`"folder ${join(home, build)}"`)])
    expect(recorded).toEqual([expect.not.stringContaining(`"folder ${join(home, 'First')}"`)])
    expect(recorded).toEqual([expect.not.stringContaining(`"documents ${join(home, 'First')}`)])
    expect(recorded).toEqual([expect.stringContaining('"template local.vatom::First::v1"')])
  })

  describe('two folders of one name', () => {
    /** Catalog a as it was applied, and a copy of its folder with another template. */
    async function copied() {
      const desk = await publisher()
      desk.file('a/vatom.yaml', 'catalog: a\n')
      desk.file('a/coupon.yaml', template())
      await desk.json('apply', 'a', '--yes')
      desk.file('b/vatom.yaml', 'catalog: a\n')
      desk.file('b/other.yaml', template('$publisher::Other::v1'))
      return desk
    }
    const says = (other: string) =>
      `${other} is a catalog named a, too: --prune of one deletes what only the other describes`

    test('are a warning with what mends it, given together or one after the other', async () => {
      const { vatom, file } = await copied()
      const { code, out, err } = await vatom('validate', 'a', 'b')
      expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining('vatom.yaml') })
      expect(err).toContain(`warning[catalog-name]: ${says('a')}\n --> b/vatom.yaml\n`)
      expect(err).toContain('hint: write another name after catalog: in one of the two vatom.yaml')
      expect((await vatom('plan', 'b')).err).toContain(`warning[catalog-name]: ${says('a')}\n --> b/vatom.yaml\n`)
      expect((await vatom('plan', 'a')).err).toContain(`warning[catalog-name]: ${says('b')}\n --> a/vatom.yaml\n`)
      expect((await vatom('apply', 'b', '--yes')).err).toContain(says('a'))
      expect((await vatom('plan', 'a', '--prune')).err).toContain(says('b'))
      file('b/vatom.yaml', 'catalog: b\n')
      for (const words of [
        ['plan', 'a'],
        ['validate', 'a', 'b'],
        ['apply', 'b', '--take-over', '--yes'],
      ])
        expect(await vatom(...words)).toMatchObject({ code: 0, err: expect.not.stringContaining('too:') })
    })

    test('are a warning of a plan and of apply in each format, which --max-warnings counts', async () => {
      const { vatom } = await copied()
      const warning = { file: 'b/vatom.yaml', rule: 'catalog-name', severity: 'warning', message: says('a') }
      for (const words of [['plan'], ['apply', '--yes', '--take-over']]) {
        const run = (...more: string[]) => vatom(...words, 'b', ...more)
        expect(await run('--max-warnings', '0')).toMatchObject({
          code: 3,
          err: expect.stringContaining('1 warning, more than --max-warnings 0; nothing was sent'),
        })
        expect((await run('--format', 'github')).out).toContain('::warning file=b/vatom.yaml')
        expect(JSON.parse((await run('--json')).out).warnings).toMatchObject([warning])
      }
      await vatom('plan', 'a', '--out', 'saved.plan')
      for (const words of [['plan', 'show'], ['apply']]) {
        const { out, err } = await vatom(...words, 'saved.plan', '--json')
        expect(err.split(says('b'))).toHaveLength(2)
        expect(JSON.parse(out).warnings).toMatchObject([{ rule: 'catalog-name', message: says('b') }])
      }
    })

    test('are a warning of a plan beside those of files that are not read', async () => {
      const { json, file } = await copied()
      file('b/tea.yaml.txt', template('$publisher::Tea::v1'))
      const { warnings } = (await json('plan', 'b')) as { warnings: unknown }
      expect(warnings).toMatchObject([{ rule: 'file-name', file: 'b/tea.yaml.txt' }, { rule: 'catalog-name' }])
    })

    test('share documents: what only the other has is named, and not deleted until one has another name', async () => {
      const { vatom, json, file, home } = await copied()
      file('a/red.yaml', variation())
      await json('apply', 'a', '--yes')
      file('b/coupon.yaml', template())
      const left = await vatom('plan', 'b')
      expect(left).toMatchObject({ code: 0, err: expect.stringContaining(`warning[catalog-name]: ${says('a')}\n`) })
      expect(left.out).toContain('? variation local.vatom::Coupon::v1::Red: in a, a catalog of the same name')
      file('a/tea.yaml', template('$publisher::Tea::v1'))
      await json('apply', 'a', '--yes')
      expect((await vatom('plan', 'b')).out).toContain(
        '? template local.vatom::Tea::v1: in a, a catalog of the same name\n',
      )
      rmSync(join(home, 'a/tea.yaml'))
      await json('template', 'delete', 'local.vatom::Tea::v1', '--yes')
      const pruned = await vatom('apply', 'b', '--prune', '--yes')
      expect(pruned).toMatchObject({ code: 1, err: expect.stringContaining('remove it from a, too') })
      expect(await json('variation', 'list')).toHaveLength(1)
      rmSync(join(home, 'a/red.yaml'))
      expect(await vatom('apply', 'b', '--prune', '--yes')).toMatchObject({ code: 0 })
      expect(await json('variation', 'list')).toEqual([])
    })

    test('are named where they are not beside each other, with what mends it, until one has another name', async () => {
      const desk = await publisher()
      const { vatom, run, json, file, home } = desk
      const planned = async (folder: string, ...more: string[]) =>
        (await run(['plan', folder, ...more], { env: job })).out
      file('east/a/vatom.yaml', 'catalog: a\n')
      file('east/a/coupon.yaml', template())
      file('east/a/red.yaml', variation())
      file('west/b/vatom.yaml', 'catalog: a\n')
      file('west/b/coupon.yaml', template())
      file('west/b/blue.yaml', variation('$publisher::Coupon::v1::Blue'))
      const git = (...args: string[]) => execFileSync('git', args, { cwd: home, stdio: 'ignore' })
      git('init')
      git('add', 'east', 'west')
      for (const folder of ['east/a', 'west/b']) await run(['apply', folder, '--yes'], { env: job })
      const mend =
        'is a catalog of the same name: write another name after catalog: in one of the two vatom.yaml, leave there only what that one is to have, and apply it with --take-over\n'
      for (const [folder, other, name] of [
        ['east/a', 'west/b', 'Blue'],
        ['west/b', 'east/a', 'Red'],
      ] as const) {
        const said = `? variation local.vatom::Coupon::v1::${name}: in ${other}, a catalog of the same name, so it stays\n  hint: ${other} ${mend}`
        expect(await planned(folder)).toContain(said)
        expect(await planned(folder)).not.toContain(`vatom apply ${other}`)
        await planned(folder, '--out', 'saved.plan')
        const { out, err } = await run(['apply', folder, '--prune', '--yes'], { env: job })
        expect(out + err).toContain(said)
        const { unlisted } = JSON.parse(await planned(folder, '--json'))
        expect(unlisted).toMatchObject([{ also_in: other, same_name: true }])
      }
      expect((await vatom('plan', 'show', 'saved.plan')).out).toContain(`hint: east/a ${mend}`)
      expect(await json('variation', 'list')).toHaveLength(2)
      file('west/b/vatom.yaml', 'catalog: b\n')
      rmSync(join(home, 'west/b/coupon.yaml'))
      git('add', 'west')
      expect(await run(['apply', 'west/b', '--yes', '--take-over'], { env: job })).toMatchObject({ code: 0 })
      for (const folder of ['east/a', 'west/b'])
        expect(await planned(folder)).not.toMatch(/same name|take-over|take over/)
    })

    test('are checkouts of other jobs in a pipeline: what a newer one no longer has is deleted', async () => {
      const { run, json, file } = await copied()
      file('a/red.yaml', variation())
      await json('apply', 'a', '--yes')
      file('b/coupon.yaml', template())
      expect(await run(['apply', 'b', '--prune', '--yes'], { env: job })).toMatchObject({
        code: 0,
        err: expect.not.stringContaining('too:'),
      })
      expect(await json('variation', 'list')).toEqual([])
    })

    test('are not in a pipeline where they describe nothing of the same: what only the other has is not deleted', async () => {
      const { run, json, file } = await copied()
      file('a/red.yaml', variation())
      await json('apply', 'a', '--yes')
      const { code, err } = await run(['apply', 'b', '--prune', '--yes'], { env: job })
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('remove it from a, too') })
      expect(err).toContain(says('a'))
      expect(await json('variation', 'list')).toHaveLength(1)
      file('a/other.yaml', template('$publisher::Other::v1'))
      expect((await run(['plan', 'b'], { env: job })).err).not.toContain('too:')
    })

    test('are noticed beside each other in a repository, in a pipeline, too', async () => {
      const { run, json, file } = await copied()
      file('a/red.yaml', variation())
      await json('apply', 'a', '--yes')
      file('.git/HEAD', 'ref: refs/heads/main\n')
      const env = { CI: 'true', VATOM_CONTEXT: 'local' }
      const { code, err } = await run(['apply', 'b', '--prune', '--yes'], { env })
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('remove it from a, too') })
      expect(err).toContain(says('a'))
      expect(await json('variation', 'list')).toHaveLength(1)
      file('b/.git/HEAD', 'ref: refs/heads/main\n')
      expect((await run(['plan', 'b'], { env })).err).not.toContain('too:')
    })

    test('are no warning where one is a clone of the other', async () => {
      const { vatom, file } = await copied()
      file('b/coupon.yaml', template())
      expect((await vatom('plan', 'b')).err).not.toContain('too:')
    })
  })

  describe('pull into a catalog with a name', () => {
    /** A catalog, and on the service a template of no catalog. */
    async function withUnowned() {
      const desk = await publisher()
      desk.file('shop/vatom.yaml', 'catalog: shop\n')
      desk.file('shop/coupon.yaml', template())
      await desk.json('apply', 'shop', '--yes')
      desk.file('loose.yaml', template('$publisher::Loose::v1'))
      await desk.json('template', 'create', 'loose.yaml')
      const has = (name: string) => existsSync(join(desk.home, 'shop', name))
      const change = () => desk.file('shop/coupon.yaml', template().replace('blue', 'green'))
      const isChanged = () => readFileSync(join(desk.home, 'shop/coupon.yaml'), 'utf8').includes('green')
      return { ...desk, has, change, isChanged }
    }
    const on = (answers: Record<string, string>) => ({ tty: true, answers })

    test('adds a template that no catalog owns only if that is chosen', async () => {
      const { run, has } = await withUnowned()
      const asked = 'Add local.vatom::Loose::v1, 1 document that no catalog with a name owns: write shop/loose.yaml?'
      const [start] = asked.split(',')
      const no = await run(['pull', 'shop'], on({ [String(start)]: 'n' }))
      expect(no).toMatchObject({ code: 0, err: expect.stringContaining('1 document: 1 unchanged') })
      expect(has('loose.yaml')).toBe(false)
      expect(await run(['pull', 'shop'], on({ [String(start)]: 'y' }))).toMatchObject({ code: 0 })
      expect(has('loose.yaml')).toBe(true)
    })

    test.each([
      ['', 1, true, false],
      [' ', 0, false, false],
      ['\u001b[B ', 0, true, true],
      ['a', 0, false, true],
    ])('takes of several changes those that are chosen with %j', async (keys, code, isLeft, isAdded) => {
      const { run, has, change, isChanged } = await withUnowned()
      change()
      const chosen = await run(['pull', 'shop'], on({ 'Which of these': keys }))
      expect({ ...chosen, left: isChanged(), added: has('loose.yaml') }).toMatchObject({
        ...{ code, left: isLeft, added: isAdded },
      })
    })

    test('names without a terminal what no catalog owns, and how to leave it out', async () => {
      const { vatom, has, change } = await withUnowned()
      change()
      expect((await vatom('pull', 'shop')).err).toContain(
        'to take only some templates: vatom pull shop --template NAME --yes',
      )
      expect(has('loose.yaml')).toBe(false)
      expect(await vatom('pull', 'shop', '--template', 'Coupon', '--yes')).toMatchObject({ code: 0 })
      expect(has('loose.yaml')).toBe(false)
      const { err } = await vatom('pull', 'shop')
      expect(err).toContain(
        '1 template that no catalog with a name owns and no file here has: local.vatom::Loose::v1; to take only some templates: vatom pull shop --template NAME\n',
      )
      expect(has('loose.yaml')).toBe(true)
      expect((await vatom('pull', 'shop')).err).toBe('2 documents: 2 unchanged\n')
    })
  })

  test('a saved plan deletes a variation of the catalog whose template is in no file', async () => {
    const { json, vatom, file, plan } = await twoCatalogs()
    file('a/red.yaml', variation())
    await json('apply', 'a', '--yes')
    for (const name of ['coupon', 'icon', 'red']) file(`a/${name}.yaml`, template(`$publisher::${name}::v1`))
    expect((await plan('--prune', '--out', 'a.plan')).summary).toMatchObject({ delete: 1 })
    expect((await vatom('apply', 'a.plan')).out).toContain('Deleted variation ')
    expect(await json('variation', 'list')).toEqual([])
  })

  describe('--prune with some files of a catalog', () => {
    /** Catalog a of four files, all applied; the face and the variation belong to the template of the first. */
    async function applied() {
      const desk = await twoCatalogs()
      desk.file('a/red.yaml', variation())
      desk.file('a/sub/green.yaml', variation('$publisher::Coupon::v1::Green'))
      await desk.json('apply', 'a', '--yes')
      return desk
    }

    test.each([
      [['a/coupon.yaml'], 'a'],
      [['a/coupon.yaml', 'a/icon.yaml'], 'a'],
      [['a/*.yaml'], 'a'],
      [['a/sub'], 'a'],
      [['[ab]/*.yaml'], 'a b'],
      [['a/coupon.yaml', 'b'], 'a b'],
      [['a/coupon.yaml', '-'], 'a -'],
    ])('is refused with the command for the whole: %j', async (paths, whole) => {
      const { run, json } = await applied()
      const stdin = template('$publisher::New::v1')
      for (const flags of [['--prune'], ['--prune', '--prune-unowned'], ['--prune-unowned']]) {
        for (const [command, ...more] of [['plan'], ['plan', '--out', 'it.plan'], ['apply', '--yes']]) {
          const { code, out, err } = await run([command ?? '', ...paths, ...flags, ...more], { stdin })
          const given = command === 'apply' ? ['--yes', ...flags] : [...flags, ...more]
          expect({ code, out, err }).toEqual({
            code: 2,
            out: '',
            err: expect.stringMatching(
              /error: --prune(-unowned)? deletes what is in no file, so it needs the whole catalog, not a part of it\n/,
            ),
          })
          expect(err).toContain(`hint: vatom ${command} ${whole} ${given.join(' ')}\n`)
        }
      }
      expect(await json('template', 'list')).toHaveLength(1)
      expect(await json('face', 'list', coupon)).toHaveLength(2)
    })

    test('is not offered by a plan of some files', async () => {
      const { vatom, home } = await applied()
      rmSync(join(home, 'a/sub/green.yaml'))
      expect((await vatom('plan', 'a')).out).toContain(`::Green: --prune deletes it\n`)
      expect((await vatom('plan', 'a/coupon.yaml')).out).toContain(`::Green: --prune of the whole catalog deletes it\n`)
    })

    test('is possible with a folder above the catalog, and with a link to it', async () => {
      const { json, home } = await applied()
      rmSync(join(home, 'a/sub/green.yaml'))
      symlinkSync(join(home, 'a'), join(home, 'link'))
      for (const path of ['.', 'link'])
        expect(await json('plan', path, '--prune')).toMatchObject({ summary: { delete: 1 } })
    })

    test('a file in a folder without vatom.yaml counts with the others of its folder', async () => {
      const { file, vatom } = await publisher()
      file('c/coupon.yaml', template())
      file('c/icon.yaml', face())
      expect(await vatom('plan', 'c/coupon.yaml', '--prune')).toMatchObject({
        code: 2,
        err: expect.stringContaining('hint: vatom plan c --prune\n'),
      })
    })

    test('is refused for standard input alone, which is in no catalog', async () => {
      const { run } = await applied()
      for (const command of ['plan', 'apply'])
        expect(await run([command, '-', '--prune'], { stdin: template() })).toMatchObject({
          code: 2,
          err: expect.stringContaining('standard input is in no catalog'),
        })
    })
  })

  test('--prune-unowned alone leaves what the catalog owns', async () => {
    const { plan, json, file } = await twoCatalogs()
    file('red.yaml', variation())
    await json('variation', 'create', 'red.yaml')
    file('a/icon.yaml', template('$publisher::Second::v1'))
    const rows = rowsOf(await plan('--prune-unowned'), 'status')
    expect(rows.filter((row) => row.startsWith('deleted '))).toEqual([`deleted variation ${coupon}::Red`])
  })

  test('what no catalog applied is listed, and needs --prune-unowned', async () => {
    const { plan, vatom, json, file } = await twoCatalogs()
    file('red.yaml', variation())
    await json('variation', 'create', 'red.yaml')
    expect((await plan('--prune')).summary).toMatchObject({ delete: 0, unlisted: 2 })
    expect((await vatom('plan', 'a', '--prune')).out).toContain('of no known catalog; --prune-unowned deletes it')
    expect((await plan('--prune-unowned')).summary).toMatchObject({ delete: 1, unlisted: 1 })
  })

  test('a template whose file was deleted is named, and never deleted', async () => {
    const { plan, vatom, json, file } = await twoCatalogs()
    file('a/coupon.yaml', template('$publisher::Other::v1'))
    file('a/icon.yaml', face('$publisher::Other::v1'))
    file('transfer.yaml', action())
    await json('apply', 'transfer.yaml', '--yes')
    file('b/red.yaml', variation())
    await json('apply', 'b', '--yes')
    const { out } = await vatom('plan', 'a')
    const line = `  ? template ${coupon} with 2 faces, 1 action and 1 variation:`
    const others = `of the catalog b: face ${coupon} card, generic, high, native://image \\([-\\da-f]{36}\\), variation ${coupon}::Red`
    expect(out).toContain(`${line} vatom template delete '${coupon}' deletes it, and what is of the catalog b: face `)
    expect(out).toMatch(new RegExp(`, and what is ${others}\n`))
    expect((await plan('--prune', '--prune-unowned')).summary).toMatchObject({ delete: 0, unlisted: 1 })
    expect((await plan()).unlisted).toMatchObject([
      {
        kind: 'template',
        contents: ['2 faces', '1 action', '1 variation'],
        others: expect.stringMatching(new RegExp(`^${others}$`)),
      },
    ])
    await json('template', 'publish', coupon, '--confirm', coupon)
    expect((await vatom('plan', 'a')).out).toContain(`${line} published, which is final\n`)
  })

  test('the draft variation of an earlier version that is published stays with it, as its faces do', async () => {
    const { plan, vatom, json, file } = await twoCatalogs()
    const red = 'local.vatom::Coupon::v1::Red'
    file('a/red.yaml', variation())
    await json('apply', 'a', '--yes')
    await json('emit', red, '--num', '2')
    await json('template', 'publish', coupon, '--confirm', coupon)
    await json('template', 'bump', coupon, 'a')
    const lines = [
      `  ? variation ${red} with 2 vAtoms: stays with its template; vatom variation delete '${red}' deletes it\n`,
      `  ? of earlier versions, published, stays: template ${coupon}\n`,
    ].join('')
    for (const options of [[], ['--prune']]) {
      const planned = await plan(...options)
      expect(planned.summary).toMatchObject({ create: 3, delete: 0, unlisted: 2 })
      expect(planned.unlisted).toMatchObject([
        { kind: 'template', contents: ['2 faces', '1 variation'] },
        { kind: 'variation', contents: ['2 vAtoms'], template: coupon, catalog: 'a', stays_with_template: true },
      ])
      expect((await vatom('plan', 'a', ...options)).out).toContain(lines)
    }
    await vatom('plan', 'a', '--prune', '--out', 'a.plan')
    expect((await vatom('plan', 'show', 'a.plan')).out).toContain(lines)
    expect(await vatom('apply', 'a', '--prune', '--yes')).toMatchObject({ code: 0 })
    expect(await json('variation', 'list', '--template', coupon)).toHaveLength(1)
    expect(await json('discover', '--mine', '--count')).toMatchObject({ count: 2 })
  })

  test('drafts of earlier versions stay with the name that a catalog had before, and plan has the command for each', async () => {
    const { vatom, json, file } = await publisher()
    const [tea, red, gold] = ['local.vatom::Tea::v1', 'local.vatom::Coupon::v1::Red', 'local.vatom::Coupon::v1::Gold']
    file('a/vatom.yaml', 'catalog: a\n')
    file('a/coupon.yaml', template())
    file('a/icon.yaml', face())
    file('a/red.yaml', variation())
    file('a/gold.yaml', variation('$publisher::Coupon::v1::Gold'))
    file('a/tea.yaml', template('$publisher::Tea::v1'))
    file('a/green.yaml', variation('$publisher::Tea::v1::Green', '$publisher::Tea::v1'))
    await json('apply', 'a', '--yes')
    await json('emit', red, '--num', '2')
    await json('template', 'publish', coupon, '--confirm', coupon)
    await json('variation', 'publish', gold, '--confirm', gold)
    for (const name of [coupon, tea]) await json('template', 'bump', name, 'a')
    await json('apply', 'a', '--yes')
    file('a/vatom.yaml', 'catalog: b\n')
    await json('apply', 'a', '--yes', '--take-over')
    const line = (kind: string, name: string, contents: string, also = '') =>
      `  ? ${kind} ${name}${contents}: of the catalog a; if there is no such catalog any more: vatom ${kind} delete '${name}' deletes it${also}\n`
    const lines = [
      line('template', tea, ' with 1 variation'),
      line('variation', red, ' with 2 vAtoms'),
      line('variation', `${tea}::Green`, ''),
    ]
    const listed = async (...options: string[]) => {
      const { out } = await vatom('plan', 'a', ...options)
      return out.slice(0, out.indexOf('Plan for')).split(/(?<=\n)/)
    }
    for (const options of [[], ['--prune', '--prune-unowned']]) {
      const [title, ...found] = await listed(...options)
      expect(title).toBe(
        '3 records of this catalog or its templates, or of earlier versions of them, are in no file:\n',
      )
      expect(found.toSorted()).toEqual(lines)
    }
    await vatom('plan', 'a', '--out', 'a.plan')
    expect((await vatom('plan', 'show', 'a.plan')).out).toContain(lines[1])
    expect(await json('plan', 'a')).toMatchObject({ summary: { unlisted: 3, delete: 0 } })
    await json('variation', 'delete', red, '--yes')
    expect((await listed())[0]).toBe(
      '2 records of this catalog or its templates, or of earlier versions of them, are in no file:\n',
    )
    await json('template', 'delete', tea, '--yes')
    expect(await listed()).toEqual([''])
  })

  test('a template that is in no file is listed without the variation that the plan deletes', async () => {
    const { plan, json, file } = await twoCatalogs()
    file('a/red.yaml', variation())
    await json('apply', 'a', '--yes')
    file('a/coupon.yaml', template('$publisher::Other::v1'))
    for (const name of ['icon', 'red']) file(`a/${name}.yaml`, template(`$publisher::${name}::v1`))
    const contents = async (...options: string[]) => at((await plan(...options)).unlisted[0], 'contents')
    expect(await contents()).toEqual(['2 faces', '1 variation'])
    expect(await contents('--prune')).toEqual(['2 faces'])
  })

  test('the deletion of a template names what another catalog owns, in the question, the dry run and the result', async () => {
    const desk = await twoCatalogs()
    desk.file('a/red.yaml', variation())
    desk.file('b/green.yaml', variation(`${coupon}::Green`))
    for (const catalog of ['a', 'b']) await desk.json('apply', catalog, '--yes')
    const what = `${coupon} with its faces and actions and 2 variations`
    const others =
      /\(of the catalog b: variation \S+::Green, face \S+ card, generic, high, native:\/\/image \([-\da-f]{36}\)\)/
    const dry = await desk.vatom('template', 'delete', coupon, '--dry-run')
    expect(dry.out).toMatch(new RegExp(`^Would delete template ${what} ${others.source} on .*\n$`))
    const asked = await desk.vatom('template', 'delete', coupon)
    expect(asked.err).toMatch(new RegExp(`Delete template ${what} ${others.source}\\?`))
    const { code, out } = await desk.vatom('template', 'delete', coupon, '--yes')
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(new RegExp(`^Deleted template ${what} ${others.source} on `)),
    })
    expect(out).not.toMatch(/::Red|icon,/)
  })

  test('the deletion of several templates asks once what catalogs own', async () => {
    const lines: string[] = []
    const { json, file } = await publisher({ service: { log: (line) => lines.push(line) } })
    const second = '$publisher::Second::v1'
    file('a/two.yaml', [template(), face(), template(second), face(second)].join('---\n'))
    await json('apply', 'a', '--yes')
    lines.splice(0)
    await json('template', 'delete', coupon, 'local.vatom::Second::v1', '--yes')
    expect(lines.filter((line) => line.includes('label'))).toEqual([expect.stringMatching(/^GET /)])
  })

  test('a document that moves to another catalog is owned by the one that applied it last', async () => {
    const { plan, json, file } = await twoCatalogs()
    file('b/icon.yaml', face())
    await json('apply', 'b', '--yes', '--take-over')
    file('a/icon.yaml', template('$publisher::Second::v1'))
    expect((await plan('--prune')).summary).toMatchObject({ delete: 0, unlisted: 2 })
  })

  test('a folder without vatom.yaml is a catalog of its own', async () => {
    const { json, file } = await publisher()
    file('c/coupon.yaml', template())
    file('c/icon.yaml', face())
    await json('apply', 'c', '--yes')
    file('d/card.yaml', face().replace('view_mode: icon', 'view_mode: card'))
    await json('apply', 'd', '--yes')
    file('c/icon.yaml', template('$publisher::Second::v1'))
    expect(await json('plan', 'c', '--prune')).toMatchObject({ summary: { delete: 1, unlisted: 1 } })
  })

  test('a damaged file of owners is named with its repair', async () => {
    const { vatom, home } = await twoCatalogs()
    const folder = join(home, '.local', 'share', 'vatom', 'owners')
    const files = readdirSync(folder).map((name) => join(folder, name))
    expect(files).toHaveLength(1)
    writeFileSync(String(files[0]), '[]')
    const { code, err } = await vatom('plan', 'a')
    expect(code).toBe(1)
    expect(err).toContain(`or delete it and apply each catalog again: rm '${files[0]}'\n`)
  })
})

describe('what a catalog owned', () => {
  const unlabelled = /^ {2}\? variation \S+::Red: of no known catalog; --prune-unowned deletes it$/m

  test('is not its own once a catalog without a name has taken it over on another machine, as on any other', async () => {
    const one = await publisher()
    const two = deskOf(one.service)
    const three = deskOf(one.service)
    const named = (desk: Pick<Desk, 'file'>) => {
      desk.file('named/vatom.yaml', 'catalog: named\n')
      desk.file('named/coupon.yaml', template())
    }
    named(one)
    one.file('named/red.yaml', variation())
    await one.json('apply', 'named', '--yes')
    rmSync(join(one.home, 'named/red.yaml'))
    two.file('second/red.yaml', variation())
    expect(await two.json('apply', 'second', '--yes', '--take-over')).toMatchObject({ summary: { take_over: 1 } })
    named(three)
    for (const { vatom } of [one, three]) {
      const { code, out } = await vatom('plan', 'named', '--prune', '--exit-code')
      expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(unlabelled) })
    }
    await one.json('apply', 'named', '--yes', '--prune')
    expect(await one.json('variation', 'list')).toHaveLength(1)
    expect(await two.json('plan', 'second', '--exit-code')).toMatchObject({ summary: { unchanged: 1 } })
  })

  test('and was taken over between plan and apply is not deleted by the saved plan', async () => {
    const one = await publisher()
    const two = deskOf(one.service)
    one.file('named/vatom.yaml', 'catalog: named\n')
    one.file('named/coupon.yaml', template())
    one.file('named/red.yaml', variation())
    await one.json('apply', 'named', '--yes')
    rmSync(join(one.home, 'named/red.yaml'))
    expect(await one.json('plan', 'named', '--prune', '--out', 'the.plan')).toMatchObject({ summary: { delete: 1 } })
    two.file('second/red.yaml', variation())
    await two.json('apply', 'second', '--yes', '--take-over')
    expect(await one.vatom('apply', 'the.plan')).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'The service has changed since the plan was made: variation local.vatom::Coupon::v1::Red no longer belongs to the catalog named\n',
      ),
    })
    expect(await one.json('variation', 'list')).toHaveLength(1)
  })

  describe.each([
    ['with a name', 'catalog: shop\n', true],
    ['without a name', undefined, true],
    ['with a name, where the service stores no labels,', 'catalog: shop\n', false],
  ])('%s and was made anew by hand', (_, project, storesLabels) => {
    /** A catalog whose variation, face and action are in no file any more, and a clock. */
    async function removed() {
      let now = testClock().getTime()
      const desk = await publisher({ clock: () => new Date(now) })
      const later = () => {
        now += 60_000
      }
      const { env } = storesLabels
        ? { env: {} }
        : await lossy(desk.service, ({ url = '' }) => (url.includes('/label') ? { status: 404 } : 'answered'))
      const run = async (...words: string[]) => {
        const { code, out, err } = await desk.run(words, { env })
        if (code !== 0) throw new Error(`${words.join(' ')}: ${err}`)
        return out
      }
      if (project) desk.file('shop/vatom.yaml', project)
      desk.file('shop/coupon.yaml', template())
      desk.file('shop/more.yaml', [variation(), face(), action()].join('---\n'))
      await run('apply', 'shop', '--yes')
      desk.file('shop/more.yaml', '# nothing\n')
      desk.file('more.yaml', [variation(), face(), action()].join('---\n'))
      later()
      const deleted = async () => JSON.parse(await run('plan', 'shop', '--prune', '--json')).summary.delete
      expect(await deleted()).toBe(3)
      const make = async () => {
        for (const words of [
          ['variation', 'create'],
          ['face', 'register'],
          ['action', 'register'],
        ])
          await run(...words, 'more.yaml')
      }
      return { ...desk, run, deleted, make }
    }

    test('one by one is nobody’s', async () => {
      const { run, deleted, make } = await removed()
      const [{ id }] = JSON.parse(await run('face', 'list', coupon, '--json'))
      await run('variation', 'delete', `${coupon}::Red`, '--yes')
      await run('face', 'delete', id, '--yes')
      await run('action', 'delete', `${coupon}::Action::Transfer`, '--yes')
      await make()
      expect(await deleted()).toBe(0)
      expect((await run('plan', 'shop')).match(/of no known catalog; --prune-unowned deletes it$/gm)).toHaveLength(3)
      await run('apply', 'shop', '--yes', '--prune')
      expect(JSON.parse(await run('variation', 'list', '--json'))).toHaveLength(1)
    })

    test('with its template is nobody’s, until it is applied again', async () => {
      const { run, deleted, make, file } = await removed()
      await run('template', 'delete', coupon, '--yes')
      await run('template', 'create', 'shop/coupon.yaml')
      await make()
      expect(await deleted()).toBe(0)
      file('shop/more.yaml', [variation(), face(), action()].join('---\n'))
      await run('apply', 'shop', '--yes')
      file('shop/more.yaml', '# nothing\n')
      expect(await deleted()).toBe(3)
    })
  })

  test('of a template of another catalog is no more of its concern once it was made anew by hand', async () => {
    let now = testClock().getTime()
    const { file, json } = await publisher({ clock: () => new Date(now) })
    file('a/vatom.yaml', 'catalog: a\n')
    file('a/coupon.yaml', template())
    await json('apply', 'a', '--yes')
    file('b/other.yaml', template('$publisher::Other::v1'))
    file('b/red.yaml', variation())
    await json('apply', 'b', '--yes')
    file('b/red.yaml', '# nothing\n')
    expect(await json('plan', 'b', '--prune')).toMatchObject({ summary: { delete: 1 } })
    now += 60_000
    await json('variation', 'delete', `${coupon}::Red`, '--yes')
    file('red.yaml', variation())
    await json('variation', 'create', 'red.yaml')
    expect(await json('plan', 'b', '--prune', '--prune-unowned')).toMatchObject({
      summary: { delete: 0, unlisted: 0 },
    })
  })

  test('as an earlier version recorded it is still its own', async () => {
    const { file, json, home } = await publisher()
    file('shop/coupon.yaml', template())
    file('shop/red.yaml', variation())
    await json('apply', 'shop', '--yes')
    const folder = join(home, '.local', 'share', 'vatom', 'owners')
    const path = join(folder, String(readdirSync(folder)[0]))
    const owners = Object.entries(JSON.parse(readFileSync(path, 'utf8')))
    const earlier = owners.filter(([key]) => !key.startsWith('created '))
    expect(earlier.length).toBeLessThan(owners.length)
    writeFileSync(path, JSON.stringify(Object.fromEntries(earlier)))
    rmSync(join(home, 'shop/red.yaml'))
    expect(await json('plan', 'shop', '--prune')).toMatchObject({ summary: { delete: 1 } })
  })
})

const ofOthers = 'warning[catalog-publisher]: '

/** A catalog with two warnings, and the environments of two publishers of a service. */
async function twoPublishers(service: Partial<ServiceOptions> = {}, fateOf: (url?: string) => Fate = () => 'answered') {
  const desk = await publisher({
    transport: 'network',
    service: { ...service, publishers: ['local.vatom', 'rival.example'] },
  })
  desk.file('shop/vatom.yaml', 'catalog: shop\n')
  desk.file('shop/coupon.yaml', template(undefined, 'public: true\n'))
  desk.file('shop/red.yaml', variation())
  const { env: own } = await lossy(desk.service, ({ url }) => fateOf(url), undefined, ['vatom-dry-run'])
  const login = { token: 'publisher@rival.example', token_type: 'email', auth_data: { password: 'vatom-local' } }
  const headers = { 'app-id': desk.service.appId }
  const signedIn = await desk.service.inject({
    ...{ method: 'POST', path: '/v1/user/login', headers, body: JSON.stringify(login) },
  })
  const { token } = JSON.parse(signedIn.body).payload.access_token
  return { ...desk, own, other: { ...own, VATOM_ACCESS_TOKEN: token, VATOM_PUBLISHER: 'rival.example' } }
}

test('a catalog that was applied for two publishers of a service has nothing to prune of the other one', async () => {
  const { own, other, ...desk } = await twoPublishers()
  const first = await desk.run(['apply', 'shop', '--yes'], { env: own })
  expect(first).toMatchObject({ code: 0, err: expect.not.stringContaining(ofOthers) })
  for (const words of [
    ['plan', 'shop'],
    ['plan', 'shop', '--prune', '--max-warnings', '2'],
    ['apply', 'shop', '--prune', '--yes', '--max-warnings', '2'],
  ]) {
    const { code, out, err } = await desk.run(words, { env: other })
    expect({ words, code }).toEqual({ words, code: 0 })
    expect(out + err).not.toContain('local.vatom::')
    expect(err).toContain(
      `${ofOthers}the catalog shop was applied on ${own.VATOM_BASE_URL} (application ${desk.service.appId}) for local.vatom, and this run is for rival.example`,
    )
    expect(err).toContain('choose a context of that with --context')
  }
  for (const env of [own, other]) expect((await desk.run(['plan', 'shop'], { env })).err).not.toContain(ofOthers)
  const kept = await desk.run(['variation', 'list', '--json'], { env: own })
  expect(JSON.parse(kept.out)).toHaveLength(1)
})

test.each<[string, string]>([
  ['in the local context, and planned at the address of its vatom serve', 'local'],
  ['at the address of a vatom serve, and planned in the local context', 'address'],
])('a catalog that was applied for another publisher %s is a warning', async (_, first) => {
  const { own, other, run, home, service } = await twoPublishers()
  recordServing({ baseUrl: own.VATOM_BASE_URL, appId: service.appId }, dirsOf({ env: {}, home, cwd: home }))
  const local = { VATOM_CONTEXT: 'local' }
  const [before, after] = first === 'local' ? [local, other] : [other, local]
  expect((await run(['apply', 'shop', '--yes'], { env: before })).err).not.toContain(ofOthers)
  const place = first === 'local' ? 'local' : `${own.VATOM_BASE_URL} (application ${service.appId})`
  expect((await run(['plan', 'shop'], { env: after })).err).toContain(
    `${ofOthers}the catalog shop was applied on ${place} for ${first === 'local' ? 'local.vatom' : 'rival.example'}, and`,
  )
  expect(await run(['apply', 'shop', '--yes'], { env: after })).toMatchObject({ code: 0 })
  for (const env of [before, after]) expect((await run(['plan', 'shop'], { env })).err).not.toContain(ofOthers)
})

test('a saved plan of a catalog that was applied for another publisher says so, also elsewhere, and is not refused for it', async () => {
  const { own, other, ...desk } = await twoPublishers()
  expect(await desk.run(['apply', 'shop', '--yes'], { env: own })).toMatchObject({ code: 0 })
  const elsewhere = { ...other, VATOM_DATA_DIR: 'another-machine' }
  expect(await desk.run(['plan', 'shop', '--out', 'the.plan'], { env: other })).toMatchObject({ code: 0 })
  for (const words of [
    ['plan', 'show', 'the.plan'],
    ['apply', 'the.plan'],
  ]) {
    const { code, out, err } = await desk.run([...words, '--json', '--max-warnings', '2'], { env: elsewhere })
    expect({ words, code, warnings: at(JSON.parse(out), 'warnings') }).toEqual({
      ...{ words, code: 0 },
      warnings: [expect.objectContaining({ rule: 'catalog-publisher', file: 'shop/red.yaml' })],
    })
    expect(err.split(ofOthers)).toHaveLength(2)
  }
  for (const words of [
    ['plan', 'shop', '--out', 'again.plan'],
    ['plan', 'show', 'again.plan'],
  ]) {
    const { code, err } = await desk.run(words, { env: own })
    expect({ words, code, err }).toEqual({ words, code: 0, err: expect.not.stringContaining(ofOthers) })
  }
})

test('where a gateway lets no request through that tells a temporary service, the warning is there, and the plan, too', async () => {
  const { own, other, ...desk } = await twoPublishers({}, (url) => (url?.startsWith(localPrefix) ? 'lost' : 'answered'))
  expect(await desk.run(['apply', 'shop', '--yes'], { env: own })).toMatchObject({ code: 0 })
  const { code, out, err } = await desk.run(['plan', 'shop'], { env: other })
  expect({ code, out, err }).toEqual({
    ...{ code: 0, out: expect.stringContaining('rival.example::') },
    err: expect.stringContaining(ofOthers),
  })
  expect(err).not.toContain('No answer')
})

test('what was applied for another publisher of a temporary service is no warning: it may have been an earlier one', async () => {
  const { other, run, json } = await twoPublishers({ temporary: newFolder() })
  expect(await run(['apply', 'shop', '--yes'])).toMatchObject({ code: 0 })
  const VATOM_BASE_URL = String(at(await json('whoami'), 'context', 'base_url'))
  const { code, out, err } = await run(['plan', 'shop'], { env: { ...other, VATOM_BASE_URL } })
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('rival.example::') })
  expect(err).not.toContain(ofOthers)
})
