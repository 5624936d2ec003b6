import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogDesk, published, rowsOf } from '../../fixtures/catalog.ts'
import { action, coupon, face, red, template, variation } from '../../fixtures/yaml.ts'
import { transports } from '../../support/desks.ts'
import { testClock } from '../../support/host.ts'
import { type Fate, lossy } from '../../support/lossy.ts'
import { Capture } from '../../support/streams.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

const transfer = `${coupon}::Action::Transfer`
const posts = [
  'POST /v1/templates',
  'POST /v1/template_variations',
  'POST /v1/publisher/action',
  'POST /v1/publisher/face',
]
const eth = (network: string, value = 1) =>
  `eth:\n  network: ${network}\n  fields:\n    a: { type: uint, value: ${value} }\n`

describe.each(transports)('on the %s transport', (transport) => {
  test('creates a catalog in the order in which the service takes it; a second time sends nothing', async () => {
    const { json, changes, vatom } = await catalogDesk(transport)
    changes()
    const done = await json('apply', 'catalog', '--yes')
    expect(rowsOf(done, 'status').sort()).toEqual(
      [
        `template ${coupon}`,
        `variation ${red}`,
        `action ${transfer}`,
        `face ${coupon} icon, generic, high, native://image`,
      ]
        .map((one) => `created ${one}`)
        .sort(),
    )
    expect(done).toMatchObject({ summary: { total: 4, ok: 4, failed: 0 } })
    const sent = changes()
    expect(sent.slice(0, 2)).toEqual(posts.slice(0, 2))
    expect(sent.sort()).toEqual([...posts].sort())
    expect(rowsOf(await json('apply', 'catalog', '--yes'), 'status').every((row) => row.startsWith('unchanged '))).toBe(
      true,
    )
    expect(await vatom('apply', 'catalog')).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('4 unchanged\n'),
    })
    expect(changes()).toEqual([])
    expect(await json('face', 'list', coupon)).toHaveLength(1)
    expect(await json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: true } })
  })

  test('names on a terminal how to emit what was created, once', async () => {
    const { run } = await catalogDesk(transport)
    const said = async (tty: boolean) => (await run(['apply', 'catalog', '--yes'], { tty, columns: 200 })).err
    expect(await said(true)).toMatch(new RegExp(`\\nNext: vatom emit ${red}\\n$`))
    expect(await said(true)).not.toContain('Next:')
  })

  test('sends of what is there what differs, and tells it', async () => {
    const { vatom, file, applied, changes, json } = await catalogDesk(transport)
    await applied()
    file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: green'))
    file('catalog/2-action.yaml', action('Transfer', 'timeout: 9000\n'))
    file('catalog/1-face.yaml', face().replace('gps: false', 'gps: true'))
    const { code, out, err } = await vatom('apply', 'catalog', '--yes')
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^Updated template ${coupon} on .*: vatom\\.private\\.color$`, 'm'))
    expect(out).toMatch(/^Updated face .* \([\w-]{36}\) on .*: constraints\.gps$/m)
    expect(out).not.toContain('Unchanged')
    // The rows tell it: only what is asked about is shown before.
    expect(err).not.toContain('"blue" -> "green"')
    expect(err).toContain('Plan for 4 documents: 3 to change, 1 unchanged\n3 updated, 1 unchanged\n')
    const sent = changes()
    expect(sent.map((one) => one.split(' ')[0])).toEqual(['PATCH', 'PATCH', 'PATCH'])
    expect(sent[0]).toContain('/v1/templates/')
    expect(await json('face', 'list', coupon)).toMatchObject([{ properties: { constraints: { gps: true } } }])
  })

  test('refuses a catalog of which something is published and differs, and sends nothing of it', async () => {
    const { run, vatom, file, applied, changes } = await catalogDesk(transport)
    file('catalog/4-coupon.yaml', published(template()))
    await applied('--publish')
    file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: green'))
    file('catalog/5-other.yaml', template('$publisher::Other::v1'))
    const { code, out, err } = await run(['apply', 'catalog', '--yes', '--json'])
    const result = JSON.parse(out)
    expect({ code, error: result.error }).toMatchObject({
      code: 1,
      error: { code: 'refused', message: '1 of 5 documents refused, so none was sent' },
    })
    expect(rowsOf(result, 'status').sort()).toEqual(
      expect.arrayContaining([`refused template ${coupon}`, 'not_sent template local.vatom::Other::v1']),
    )
    expect(err).toContain(`${coupon} is published, which is final; the document differs in vatom.private.color`)
    expect(err).toContain('vatom template bump')
    // One total, behind what was refused.
    expect(err.match(/\d+ of \d+/g)).toEqual(['1 of 5'])
    expect(err).toMatch(
      /^error: catalog\/4-coupon\.yaml: .*\nerror: 1 of 5 documents refused, so none was sent\nhint: /m,
    )
    const github = await vatom('apply', 'catalog', '--yes', '--format', 'github')
    expect(github).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^::error file=catalog\/4-coupon\.yaml,line=1,.*title=published/m),
    })
    const sarif = await vatom('apply', 'catalog', '--yes', '--format', 'sarif')
    expect(JSON.parse(sarif.out).runs[0].results).toContainEqual(
      expect.objectContaining({ ruleId: 'published', level: 'error' }),
    )
    expect(changes()).toEqual([])
  })

  test('says that --publish publishes nothing where no document is to be published', async () => {
    const { vatom } = await catalogDesk(transport)
    const nothing = '--publish publishes nothing: no document says unpublished: false'
    expect((await vatom('apply', 'catalog', '--yes', '--publish')).err).toContain(`${nothing}\n`)
    expect((await vatom('apply', 'catalog', '--yes')).err).not.toContain(nothing)
  })

  test('publishes with --publish, templates before their variations; drafts stay drafts without', async () => {
    const { json, vatom, file, changes } = await catalogDesk(transport)
    file('catalog/4-coupon.yaml', published(template()))
    file('catalog/3-red.yaml', variation(undefined, undefined, 'unpublished: false\n'))
    expect(await vatom('apply', 'catalog', '--yes')).toMatchObject({
      code: 0,
      err: expect.stringMatching(/\n4 created; 2 documents stay drafts: to publish them, add --publish\n$/),
    })
    expect(await json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: true } })
    changes()
    expect(await vatom('apply', 'catalog', '--yes')).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/\n4 unchanged; 2 documents stay drafts: to publish them, add --publish\n$/),
    })
    expect(await vatom('apply', 'catalog', '--yes', '--dry-run')).toMatchObject({
      out: 'Plan for 4 documents: 4 unchanged; 2 documents stay drafts: to publish them, add --publish\n',
    })
    expect(await json('apply', 'catalog', '--yes')).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({
          message: `Unchanged template ${coupon} (draft); not published: that takes --publish`,
        }),
      ]),
    })
    expect(changes()).toEqual([])
    const { out, err } = await vatom('apply', 'catalog', '--yes', '--publish')
    expect(out).toContain(`Published template ${coupon} on `)
    expect(err).toContain('publishing, which cannot be undone: 2 records\n')
    expect(changes().map((one) => decodeURIComponent(one))).toEqual([
      `PATCH /v1/templates/${coupon}`,
      `PATCH /v1/template_variations/${red}`,
    ])
    expect(await json('variation', 'get', red)).toMatchObject({ properties: { unpublished: false } })
    expect(await vatom('apply', 'catalog')).toMatchObject({ code: 0, out: '' })
    expect(changes()).toEqual([])
  })

  test('creates, then publishes, in one run', async () => {
    const { json, file } = await catalogDesk(transport)
    file('catalog/4-coupon.yaml', published(template()))
    expect(rowsOf(await json('apply', 'catalog', '--yes', '--publish'), 'status')).toContain(
      `published template ${coupon}`,
    )
    expect(await json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: false } })
  })

  test('what is written and then published counts once, and plan and apply say both of it', async () => {
    const { vatom, run, json, file, home, applied } = await catalogDesk(transport)
    file('catalog/3-red.yaml', variation())
    await applied()
    file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: green'))
    file('catalog/3-red.yaml', variation(undefined, undefined, 'unpublished: false\n'))
    file('catalog/5-other.yaml', published(template('$publisher::Other::v1')))
    const plain = await vatom('plan', 'catalog')
    const counts = 'Plan for 5 documents: 1 to create, 1 to change, 3 unchanged; 3 would be published with --publish\n'
    expect(plain.out).toContain(counts)
    const told = (rows: unknown) =>
      Object(rows).results.map(({ name, status, written, withheld, publishes, message }: Record<string, unknown>) => ({
        name,
        status,
        ...(written !== undefined && { written }),
        ...(withheld !== undefined && { withheld }),
        ...(publishes !== undefined && { publishes }),
        message,
      }))
    const without = await json('plan', 'catalog')
    expect(without).toMatchObject({ summary: { create: 1, update: 1, publish: 0, withheld: 3, unchanged: 3 } })
    expect(told(without)).toContainEqual({
      name: coupon,
      status: 'updated',
      withheld: true,
      publishes: false,
      message: 'will be changed; not published: that takes --publish',
    })
    expect(JSON.stringify(without)).not.toContain('will be published')
    const planned = await json('apply', 'catalog', '--yes', '--publish', '--dry-run')
    expect(planned).toMatchObject({
      summary: { total: 5, create: 1, update: 1, publish_only: 1, unchanged: 2, publish: 3, withheld: 0 },
    })
    expect(told(planned)).toContainEqual({
      name: coupon,
      status: 'published',
      written: 'updated',
      publishes: true,
      message: 'will be changed and published',
    })
    expect((await vatom('plan', 'catalog', '--out', 'a.plan')).out).toContain(
      'Plan for 5 documents: 1 to create and publish, 1 to change and publish, 1 to publish, 2 unchanged\n',
    )
    const { code, out, err } = await run(['apply', 'a.plan', '--junit', 'a.xml'])
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^Updated template ${coupon} on .*: vatom.private.color$`, 'm'))
    expect(out).toMatch(new RegExp(`^Published template ${coupon} on .*; it is final now$`, 'm'))
    expect(out).toMatch(/^Created template \S+::Other::v1 \(draft\) on .*$/m)
    expect(out).toMatch(/^Published template \S+::Other::v1 on .*; it is final now$/m)
    expect(out.match(/\n/g)).toHaveLength(5)
    expect(out).toMatch(new RegExp(`^Published variation ${red} on `, 'm'))
    expect(err).toMatch(/\n1 updated and published, 1 created and published, 1 published, 2 unchanged\n$/)
    expect(readFileSync(join(home, 'a.xml'), 'utf8')).toContain(`Updated and published template ${coupon}`)
  })

  test('apply --json says what was written before it was published, as plan does', async () => {
    const { json, file, applied } = await catalogDesk(transport)
    await applied()
    file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: green'))
    file('catalog/5-other.yaml', published(template('$publisher::Other::v1')))
    const said = (found: unknown) =>
      Object(found).results.map(({ name, status, written }: Record<string, unknown>) => [name, status, written])
    const planned = said(await json('apply', 'catalog', '--yes', '--publish', '--dry-run'))
    expect(planned).toContainEqual([coupon, 'published', 'updated'])
    expect(said(await json('apply', 'catalog', '--yes', '--publish'))).toEqual(planned)
  })

  test('the summary of apply --json counts the drafts that stay drafts, as that of plan does', async () => {
    const { json, file, applied } = await catalogDesk(transport)
    await applied()
    file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: green'))
    file('catalog/5-other.yaml', published(template('$publisher::Other::v1')))
    const counted = { summary: { total: 5, withheld: 2 } }
    expect(await json('plan', 'catalog')).toMatchObject(counted)
    expect(await json('apply', 'catalog', '--yes')).toMatchObject(counted)
    expect(await json('apply', 'catalog', '--yes', '--publish')).toMatchObject({ summary: { total: 5, withheld: 0 } })
  })

  test('charges want --accept-charges, and come last with what stands on them', async () => {
    const { vatom, json, file, changes } = await catalogDesk(transport, eth('mainnet'))
    file('catalog/5-other.yaml', template('$publisher::Other::v1'))
    file('catalog/6-blue.yaml', variation('$publisher::Other::v1::Blue', '$publisher::Other::v1'))
    changes()
    const { code, err } = await vatom('apply', 'catalog', '--yes')
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('to answer yes, add --accept-charges') })
    expect(err).toContain('eth on mainnet: 2 chain writes (1 contract, 1 field) will be charged')
    expect(changes()).toEqual([])
    const { out } = await vatom('apply', 'catalog', '--yes', '--json')
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'charges' }, summary: { ok: 0 } })
    const done = await vatom('apply', 'catalog', '--yes', '--accept-charges')
    expect(done.code).toBe(0)
    expect(changes()).toHaveLength(6)
    const listed = (await json('template', 'list')) as { name: string }[]
    expect(listed.map(({ name }) => name).sort()).toEqual([coupon, 'local.vatom::Other::v1'])
    expect(await vatom('apply', 'catalog')).toMatchObject({ code: 0 })
  })

  test('that publishing makes a contract final is in each plan of it, and asked, though nothing is charged', async () => {
    const { vatom, json, file, changes } = await catalogDesk(transport, eth('mainnet'))
    await json('apply', 'catalog', '--yes', '--accept-charges')
    file('catalog/4-coupon.yaml', published(template(undefined, eth('mainnet'))))
    changes()
    const text =
      'eth on mainnet: publishing makes the contract final for every vAtom emitted; a saved plan accepts that, and apply without one takes --accept-charges\n'
    const shown = `  ! publish template ${coupon}\n      ${text}`
    expect((await vatom('plan', 'catalog')).out).toContain(shown)
    expect((await vatom('plan', 'catalog', '--format', 'markdown')).out).toContain(text)
    const planned = await json('plan', 'catalog', '--publish')
    expect(planned).toMatchObject({
      chain_writes: { charged: 0 },
      results: expect.arrayContaining([expect.objectContaining({ name: coupon, contract_final: true })]),
    })
    expect(JSON.stringify(planned).match(/contract_final/g)).toHaveLength(1)
    const refused = await vatom('apply', 'catalog', '--yes', '--publish')
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('Make the contract final?') })
    expect(refused.err).not.toContain('Accept the charges?')
    expect(changes()).toEqual([])
    const summary = await vatom('plan', 'catalog', '--out', 'final.plan', '--format', 'markdown')
    expect(summary.out).toContain(text)
    expect((await vatom('plan', 'show', 'final.plan')).out).toContain(shown)
    const applied = await vatom('apply', 'final.plan')
    expect(applied).toMatchObject({ code: 0, err: expect.stringContaining(`template ${coupon}: ${text}`) })
  })

  test('--dry-run shows the plan and leaves all as it was', async () => {
    const { vatom, changes, kept } = await catalogDesk(transport)
    changes()
    expect(await vatom('apply', 'catalog', '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Plan for 4 documents: 4 to create, 0 unchanged\n'),
    })
    expect(changes()).toEqual([])
    expect(kept()).toEqual([])
  })

  test('without --yes and without a terminal it names the flag before anything is sent: exit 2', async () => {
    const { run, changes } = await catalogDesk(transport)
    changes()
    const { code, out, err } = await run(['apply', 'catalog', '--json'])
    expect({ code, error: JSON.parse(out) }).toMatchObject({
      code: 2,
      error: { error: { code: 'usage', hint: 'to answer yes, add --yes' } },
    })
    expect(err).toContain('Apply this plan: write 4 records?')
    expect(changes()).toEqual([])
  })
})

/** A catalog's desk, and a way to its service on which things happen to what would change something. */
async function onLossyWay(fateOf: (path: string, nth: number) => Fate) {
  const desk = await catalogDesk()
  const seen = new Map<string, number>()
  const { env } = await lossy(desk.service, ({ method = '', url = '' }) => {
    const request = `${method} ${decodeURIComponent(url)}`
    if (method === 'GET') return 'answered'
    seen.set(request, (seen.get(request) ?? 0) + 1)
    return fateOf(request, seen.get(request) ?? 0)
  })
  const slept: number[] = []
  const apply = (...args: string[]) => desk.run(['apply', 'catalog', '--yes', '--json', ...args], { env, slept })
  return { ...desk, env, apply, seen, slept }
}

describe('where answers get lost', () => {
  test.each(['lost', 'unanswered', { status: 502 }, { status: 500 }] as const)(
    'each write that is %j once is done once',
    async (fate) => {
      const { apply, json, seen, applied } = await onLossyWay((_, nth) => (nth === 1 ? fate : 'answered'))
      const { code, out } = await apply()
      expect(code).toBe(0)
      expect(rowsOf(JSON.parse(out), 'status').every((row) => row.startsWith('created '))).toBe(true)
      expect(await json('face', 'list', coupon)).toHaveLength(1)
      // What was done, and only its answer lost, is not sent again.
      expect([...seen.values()]).toEqual(Array(4).fill(fate === 'unanswered' ? 1 : 2))
      await applied()
    },
  )

  test('a face is sent again only when its first try has settled; what has a name is tried sooner', async () => {
    const { apply, slept, seen } = await onLossyWay((request, nth) =>
      nth === 1 && /templates|face/.test(request) ? 'lost' : 'answered',
    )
    expect(await apply()).toMatchObject({ code: 0 })
    expect(slept).toEqual([250, 2_000])
    expect(seen.get('POST /v1/publisher/face')).toBe(2)
  })

  test('updates, publishing and deletions are done once too', async () => {
    const { apply, file, applied, remove, seen, json } = await onLossyWay((_, nth) =>
      nth === 1 ? 'unanswered' : 'answered',
    )
    await applied()
    remove('2-action')
    file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: green'))
    const { code, out } = await apply('--prune-unowned', '--publish')
    expect(code).toBe(0)
    expect(rowsOf(JSON.parse(out), 'status')).toEqual(
      expect.arrayContaining([`published template ${coupon}`, `deleted action ${transfer}`]),
    )
    expect([...seen].sort()).toEqual([
      [`DELETE /v1/publisher/action/${transfer}`, 1],
      // Changed, and published after that.
      [`PATCH /v1/templates/${coupon}`, 2],
    ])
    expect(await json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: false } })
  })

  test('a service that is gone in the middle: what was done is told, the rest is not sent, and the next run finishes', async () => {
    const { apply, json, applied } = await onLossyWay((request) =>
      request === 'POST /v1/templates' ? 'answered' : 'lost',
    )
    const { code, out, err } = await apply()
    const result = JSON.parse(out)
    expect({ code, error: result.error.code }).toEqual({ code: 6, error: 'partly_done' })
    const rows: { kind: string; may_be_done?: boolean }[] = result.results
    expect(rows.filter((row) => row.may_be_done).map(({ kind }) => kind)).toEqual(['variation'])
    expect(rowsOf(result, 'status').sort()).toEqual([
      `created template ${coupon}`,
      `failed variation ${red}`,
      `not_sent action ${transfer}`,
      `not_sent face ${coupon} icon, generic, high, native://image`,
    ])
    expect(err).toContain('the connection was closed')
    await applied()
    expect(await json('face', 'list', coupon)).toHaveLength(1)
  })

  test('a service that takes no write at all: exit 5', async () => {
    const { apply, seen } = await onLossyWay(() => 'lost')
    const { code, out } = await apply()
    expect(code).toBe(5)
    expect(rowsOf(JSON.parse(out), 'status').sort()[0]).toBe(`failed template ${coupon}`)
    expect([...seen]).toEqual([['POST /v1/templates', 4]])
  })

  test('what is refused holds back what stands on it, and nothing final is done', async () => {
    const { apply, file, seen } = await onLossyWay((request) =>
      /template_variations/.test(request) ? { status: 400 } : 'answered',
    )
    file('catalog/4-coupon.yaml', published(template()))
    file('catalog/5-other.yaml', template('$publisher::Other::v1', eth('mainnet')))
    file('catalog/6-face.yaml', face('$publisher::Other::v1'))
    const { code, out, err } = await apply('--publish', '--accept-charges')
    expect(code).toBe(6)
    expect(err).toMatch(
      /\n1 created but not published, 2 not sent, 1 refused, 2 created\n[\s\S]*error: 4 of 6 documents were not done\nhint: to do the rest: vatom apply catalog --yes --publish --accept-charges\n$/,
    )
    expect(rowsOf(JSON.parse(out), 'status').sort()).toEqual([
      `created action ${transfer}`,
      `created face ${coupon} icon, generic, high, native://image`,
      'not_sent face local.vatom::Other::v1 icon, generic, high, native://image',
      `not_sent template ${coupon}`,
      'not_sent template local.vatom::Other::v1',
      `refused variation ${red}`,
    ])
    expect([...seen.keys()].sort()).toEqual([...posts].sort())
  })

  test('a variation is not published where its template was not', async () => {
    const { apply, file, applied, seen, json } = await onLossyWay((request) =>
      request.startsWith('PATCH /v1/templates/') ? { status: 400 } : 'answered',
    )
    await applied()
    file('catalog/4-coupon.yaml', published(template()))
    file(
      'catalog/3-red.yaml',
      variation(undefined, undefined, 'unpublished: false\n').replace(
        'title: Red coupon',
        'title: Red\n    description: Red',
      ),
    )
    const { code, out } = await apply('--publish')
    expect(code).toBe(1)
    expect(rowsOf(JSON.parse(out), 'status')).toEqual(
      expect.arrayContaining([`refused template ${coupon}`, `not_sent variation ${red}`]),
    )
    expect([...seen.keys()]).toEqual([`PATCH /v1/templates/${coupon}`])
    expect(await json('variation', 'get', red)).toMatchObject({ properties: { unpublished: true } })
  })

  test('what needs a template that was refused is not sent', async () => {
    const { apply, file, seen } = await onLossyWay((request, nth) =>
      request === 'POST /v1/templates' && nth === 1 ? { status: 400 } : 'answered',
    )
    file('catalog/5-other.yaml', template('$publisher::Other::v1'))
    const { code, out } = await apply()
    expect(code).toBe(6)
    const rows = rowsOf(JSON.parse(out), 'status')
    expect(rows.filter((row) => row.startsWith('refused template'))).toHaveLength(1)
    const others = rows.filter((row) => !row.includes(' template ')).map((row) => row.split(' ')[0])
    const isCoupon = rows.includes(`refused template ${coupon}`)
    expect(others).toEqual(Array(3).fill(isCoupon ? 'not_sent' : 'created'))
    expect(seen.size).toBe(isCoupon ? 1 : 4)
  })

  test('a failure in Markdown has the total first, then why, what was done, and the problems', async () => {
    const { run, env } = await onLossyWay((request) => (/publisher.face/.test(request) ? { status: 400 } : 'answered'))
    const { code, out } = await run(['apply', 'catalog', '--yes', '--format', 'markdown'], { env })
    expect(code).toBe(6)
    expect(out).toMatch(
      /^### 3 created, 1 refused\n\n\*\*Error:\*\*\n\n```text\n1 of 4 documents were not done\n[^`]*```\n\n\*\*Done:\*\*\n\n```text\nCreated [^`]*```\n\n\*\*Not done:\*\*\n\n```text\nrefused: face [^`]*```\n\n\*\*Problems:\*\*\n\n```text\n[^`]*```\n$/,
    )
  })

  test('Ctrl-C waits for the answer to what was sent: its outcome is known', async () => {
    const interrupted = new AbortController()
    const { run, env } = await onLossyWay((request) => {
      if (request === 'POST /v1/template_variations') interrupted.abort()
      return 'answered'
    })
    const { code, err } = await run(['apply', 'catalog', '--yes'], { env, signal: interrupted.signal })
    expect({ code, err }).toEqual({ code: 130, err: expect.stringContaining('\n2 created, 2 not sent\n') })
    expect(err).not.toContain('unknown')
  })

  test('Ctrl-C sends nothing that was only about to be sent, and the next run does not take it for begun', async () => {
    let interrupted = new AbortController()
    const { run, env, file, seen } = await onLossyWay((_, nth) => {
      if (nth % 12 === 0) interrupted.abort()
      return 'answered'
    })
    for (let index = 0; index < 40; index++) file(`catalog/t${index}.yaml`, template(`$publisher::T${index}::v1`))
    const sent = () => seen.get('POST /v1/templates') ?? 0
    while (sent() < 30) {
      interrupted = new AbortController()
      const before = sent()
      const { code, out, err } = await run(['apply', 'catalog', '--yes', '--json'], { env, signal: interrupted.signal })
      const statuses = rowsOf(JSON.parse(out), 'status').map((row) => row.split(' ')[0])
      expect({ code, created: statuses.filter((one) => one === 'created').length }).toEqual({
        code: 130,
        created: sent() - before,
      })
      expect(statuses).not.toContain('failed')
      expect(err).not.toContain('unknown')
    }
  })

  test('Ctrl-C in the middle ends with 130 and tells what was done; the next run finishes', async () => {
    const interrupted = new AbortController()
    const { run, env, json, applied, home } = await onLossyWay((request) => {
      if (request !== 'POST /v1/template_variations') return 'answered'
      interrupted.abort()
      return 'unanswered'
    })
    const flags = ['--yes', '--prune', '--prune-unowned']
    const words = ['apply', 'catalog', ...flags, '--json', '--junit', 'report.xml']
    const { code, out, err } = await run(words, { env, signal: interrupted.signal })
    const result = JSON.parse(out)
    // What was done, what is unknown and what was not sent add up, in the report as well.
    const total = '1 created, 1 with unknown outcome, 2 not sent'
    expect(err).toContain(`\n${total}\n`)
    const report = readFileSync(join(home, 'report.xml'), 'utf8')
    expect(report).toContain('tests="6" failures="2" errors="0" skipped="3"')
    expect(report).toContain(`<failure message="interrupted: ${total}" type="failed">`)
    expect(report).toContain('hint: to go on: vatom apply catalog --yes --prune --prune-unowned')
    // One line for all that was not sent, and how to go on.
    expect(err.match(/^error: .*/gm)).toEqual([
      'error: interrupted: 2 of 4 documents were not done, 1 may have been: no answer of the service arrived',
    ])
    expect(err).toMatch(
      /\nhint: to go on: vatom apply catalog --yes --prune --prune-unowned; what is done is not done twice\n$/,
    )
    expect({ code, error: result.error.code }).toEqual({ code: 130, error: 'interrupted' })
    expect(rowsOf(result, 'status').sort()).toEqual([
      `created template ${coupon}`,
      `failed variation ${red}`,
      `not_sent action ${transfer}`,
      `not_sent face ${coupon} icon, generic, high, native://image`,
    ])
    expect(err).not.toMatch(/^\s+at /m)
    await applied()
    expect(await json('face', 'list', coupon)).toHaveLength(1)
  })
})

describe('on a terminal', () => {
  const apply = 'Apply this plan'
  test('it asks before it writes', async () => {
    const { run, json, changes } = await catalogDesk()
    changes()
    const no = await run(['apply', 'catalog', '--no-color'], { tty: true, answers: { [apply]: 'n' } })
    expect(no).toMatchObject({ code: 1, err: expect.stringContaining('Apply this plan: write 4 records?') })
    expect(no.err).toContain(`  + template ${coupon} (catalog/4-coupon.yaml)`)
    expect(changes()).toEqual([])
    expect(await run(['apply', 'catalog'], { tty: true, answers: { [apply]: 'y' } })).toMatchObject({ code: 0 })
    expect(await json('face', 'list', coupon)).toHaveLength(1)
    expect(await run(['apply', 'catalog'], { tty: true, answers: {} })).toMatchObject({ code: 0 })
  })

  test.each([
    [[], coupon, false, 0],
    [[], 'y', true, 0],
    [[], '', true, 0],
    [['--publish'], coupon, false, 0],
    [['--publish'], 'y', true, 1],
  ])('a person publishes by typing the name: %j, then %j', async (flags, answer, isDraft, exitCode) => {
    const { run, json, file } = await catalogDesk()
    file('catalog/4-coupon.yaml', published(template()))
    const answers = { [`Publishing is final. To publish it, type ${coupon}`]: answer, [apply]: 'y' }
    const { code, err } = await run(['apply', 'catalog', ...flags, '--no-color'], { tty: true, columns: 200, answers })
    expect({ code, err }).toEqual({ code: exitCode, err: expect.stringContaining(`type ${coupon} (no)`) })
    expect(err.includes('error: Nothing was published: that was not confirmed')).toBe(exitCode === 1)
    expect(err.includes('4 created; 1 document stays a draft: publishing was not confirmed\n')).toBe(isDraft)
    expect(await json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: isDraft } })
  })

  test('a person who does not type what is published fails a run that has nothing else to do', async () => {
    const { run, json, file, applied } = await catalogDesk()
    await applied()
    file('catalog/4-coupon.yaml', published(template()))
    const answers = { [`Publishing is final. To publish it, type ${coupon}`]: 'no' }
    const { code, err } = await run(['apply', 'catalog', '--no-color'], { tty: true, columns: 200, answers })
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('error: Nothing was published: that was not confirmed\n'),
    })
    expect(await json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: true } })
    expect(await run(['apply', 'catalog', '--yes'], { tty: true })).toMatchObject({ code: 0 })
  })

  test.each([
    ['publish 2', false],
    ['publish 1', true],
    ['yes', true],
  ])('of several, a person types how many: %s', async (answer, isDraft) => {
    const { run, json, file } = await catalogDesk()
    file('catalog/4-coupon.yaml', published(template()))
    file('catalog/5-tea.yaml', published(template('$publisher::Tea::v1')))
    const answers = { 'To publish 2 records, type "publish 2"': answer, [apply]: 'y' }
    const { code, err } = await run(['apply', 'catalog'], { tty: true, columns: 200, answers })
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('the answer was no') })
    expect(err.includes('2 documents stay drafts: publishing was not confirmed')).toBe(isDraft)
    for (const name of [coupon, 'local.vatom::Tea::v1'])
      expect(await json('template', 'get', name)).toMatchObject({ properties: { unpublished: isDraft } })
  })

  describe('what cannot be undone is typed, once', () => {
    /** A catalog of which records are deleted: drafts, and a variation with vAtoms. */
    async function pruned({ drafts, vatoms = 0 }: { drafts: number; vatoms?: number }, more = '') {
      const desk = await catalogDesk()
      desk.file('catalog/vatom.yaml', 'catalog: shop\n')
      const names = Array.from({ length: drafts }, (_, index) => variation(`$publisher::Coupon::v1::N${index}`))
      desk.file('catalog/6-more.yaml', names.join('---\n') || '# none\n')
      await desk.applied()
      if (vatoms > 0) await desk.json('emit', red, '--num', String(vatoms))
      if (vatoms > 0) desk.remove('3-red')
      desk.file('catalog/6-more.yaml', more || template('$publisher::Tea::v1'))
      desk.changes()
      return desk
    }
    const wide = { tty: true, columns: 200 }
    const prune = ['apply', 'catalog', '--prune', '--no-color']
    const none = 'Apply this plan'

    test.each([
      [{ drafts: 6 }, 'To delete 6 records, type "delete 6"', 'delete 6'],
      [{ drafts: 0, vatoms: 2 }, 'To delete 1 record with 2 vAtoms, type "delete 1"', 'delete 1'],
      [{ drafts: 5, vatoms: 1 }, 'To delete 6 records with 1 vAtom, type "delete 6"', 'delete 6'],
    ])('for deletions: %j', async (size, question, phrase) => {
      const { run, changes } = await pruned(size)
      for (const answer of ['y', '', 'delete 5']) {
        const { code, err } = await run(prune, { ...wide, answers: { [question]: answer } })
        expect(code).toBe(1)
        expect(err).toContain(`This cannot be undone. ${question}`)
        expect(err).toContain(`error: Nothing was done: "${phrase}" was not typed\n`)
        expect(err).toMatch(/hint: without --prune and --prune-unowned, apply deletes nothing\n$/)
        expect(changes()).toEqual([])
      }
      const { code, err } = await run(prune, { ...wide, answers: { [question]: phrase } })
      expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining(none) })
    })

    test('a few deletions are asked about with the rest of the plan', async () => {
      const { run } = await pruned({ drafts: 5 })
      const answers = { 'Apply this plan: write 1 record, delete 5?': 'y' }
      expect(await run(prune, { ...wide, answers })).toMatchObject({ code: 0 })
    })

    describe.each([[[]], [['--publish']]])('deletions, also a few, then what is published: with %j', (flags) => {
      const tea = 'local.vatom::Tea::v1'
      const deletion = 'To delete 1 record, type "delete 1"'
      const publication = `To publish it, type ${tea}`

      test('what is not deleted is not published, and the hint leads on', async () => {
        const { run, changes } = await pruned({ drafts: 1 }, published(template('$publisher::Tea::v1')))
        for (const answer of ['publish 1', 'publish 1 delete 1', 'yes']) {
          const { code, err } = await run([...prune, ...flags], { ...wide, answers: { [deletion]: answer } })
          expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('"delete 1" was not typed') })
          expect(err).toContain('with --yes and without --publish, it does all but the publishing, also the deletions')
          expect(err).not.toContain(publication)
        }
        expect(changes()).toEqual([])
      })

      test.each([
        ['delete 1', true],
        [tea, false],
      ])('who types the deletions, then %s, deletes them', async (answer, isDraft) => {
        const { run, json } = await pruned({ drafts: 1 }, published(template('$publisher::Tea::v1')))
        const answers = { [deletion]: 'delete 1', [publication]: answer }
        const { code, err } = await run([...prune, ...flags], { ...wide, answers })
        expect({ code, err }).toEqual({
          code: isDraft && flags.length > 0 ? 1 : 0,
          err: expect.not.stringContaining(none),
        })
        expect(err).toContain(
          `Publishing is final. Enter leaves drafts, and does the rest, also the deletions. ${publication}`,
        )
        expect(err.includes('1 deleted; 1 document stays a draft: publishing was not confirmed')).toBe(isDraft)
        expect(await json('template', 'get', tea)).toMatchObject({ properties: { unpublished: isDraft } })
        expect(await json('variation', 'list')).toHaveLength(1)
      })
    })

    test('the plan above the question says what is done only if it is typed, as plan does', async () => {
      const { run } = await pruned({ drafts: 1 }, published(template('$publisher::Tea::v1')))
      const answers = { 'type "delete 1"': 'no' }
      const asked = await run(prune, { ...wide, answers })
      expect(asked.err).toContain('done only with --publish, or typed when apply asks:\n  ! publish template')
      const flagged = await run([...prune, '--publish'], { ...wide, answers })
      expect(flagged.err).not.toContain('or typed when apply asks')
    })

    test('what is published is not asked about again', async () => {
      const { run, file } = await catalogDesk()
      file('catalog/4-coupon.yaml', published(template()))
      const answers = { [`To publish it, type ${coupon}`]: coupon }
      const { code, err } = await run(['apply', 'catalog'], { ...wide, answers })
      expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining(none) })
      expect(err).not.toContain('Enter leaves')
    })

    test('with --yes nothing is asked', async () => {
      const { run } = await pruned({ drafts: 6, vatoms: 1 })
      expect(await run([...prune, '--yes'], { ...wide, answers: {} })).toMatchObject({ code: 0 })
    })
  })

  test('without a terminal the plan and the question count what is done without --publish', async () => {
    const { vatom, file, applied } = await catalogDesk()
    await applied()
    file('catalog/4-coupon.yaml', published(template()))
    file('catalog/5-tea.yaml', template('$publisher::Tea::v1'))
    const { code, err } = await vatom('apply', 'catalog')
    expect(code).toBe(2)
    expect(err).toContain('Plan for 5 documents: 1 to create, 4 unchanged; 1 would be published with --publish\n')
    expect(err).toContain('Cannot be undone, and is done only with --publish, or typed when apply asks:\n')
    expect(err).not.toContain('Cannot be undone:')
    expect(err).toContain('Apply this plan: write 1 record?')
  })

  test('with --yes and --publish nothing is asked', async () => {
    const { run, json, file } = await catalogDesk()
    file('catalog/4-coupon.yaml', published(template()))
    const { code, err } = await run(['apply', 'catalog', '--yes', '--publish'], { tty: true, answers: {} })
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('To publish') })
    expect(await json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: false } })
  })

  test('a no to charges leaves all as it was', async () => {
    const { run, file, changes } = await catalogDesk('local', eth('mainnet'))
    file('catalog/5-other.yaml', template('$publisher::Other::v1'))
    changes()
    const answers = { [apply]: 'y', 'Accept the charges?': 'n' }
    expect(await run(['apply', 'catalog'], { tty: true, answers })).toMatchObject({ code: 1 })
    expect(changes()).toEqual([])
  })

  test('lines break between words, commands stay whole, and the total comes last', async () => {
    const { run, file } = await catalogDesk()
    file('catalog/4-coupon.yaml', published(template()))
    const screen = new Capture(true, 60)
    const options = { tty: true, columns: 60, screen }
    const { code, out } = await run(['apply', 'catalog', '--yes', '--no-color'], options)
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual(expect.arrayContaining([`Created variation ${red} (draft) on`, 'local']))
    expect(screen.text).toContain('4 created; 1 document stays a draft: to publish it, add\n--publish\n')
    const { err } = await run(['apply', 'catalog', '--yes', '--format', 'github'])
    expect(err).toMatch(/\n4 unchanged; 1 document stays a draft: to publish it, add --publish\n$/)
  })

  test('a bar shows how far it is, and how many there are', async () => {
    const screen = new Capture(true, 100)
    const desk = await catalogDesk()
    const { env } = await lossy(desk.service, async ({ method }): Promise<Fate> => {
      // The first write is answered when the bar can be seen.
      while (method === 'POST' && !screen.text.includes('0 of 4'))
        await new Promise((resolve) => setTimeout(resolve, 5))
      return 'answered'
    })
    const options = { env, tty: true, columns: 100, screen }
    expect(await desk.run(['apply', 'catalog', '--yes', '--no-color'], options)).toMatchObject({ code: 0 })
    expect(screen.text).toMatch(/template local\.vatom::Coupon::v1 {2}░{20} {2}0 % {2}0 of 4/)
  })
})

test('away from a terminal, plain lines say how far a long run is; --quiet, small catalogs and short runs leave them out', async () => {
  const { run, file } = await catalogDesk()
  const pace = 10_000
  const vatom = (...args: string[]) => run(args, { pace })
  expect((await vatom('plan', 'catalog')).err).not.toContain(' of 4')
  for (let n = 0; n < 60; n++) file(`catalog/more${n}.yaml`, template(`$publisher::More${n}::v1`))
  expect((await run(['plan', 'catalog'])).err).not.toContain(' of 64')
  const { err } = await vatom('apply', 'catalog', '--yes')
  expect(err).toMatch(/^compare: 7 of 64/m)
  expect(err.match(/^apply: \d+ of 64/gm)).toEqual([7, 14, 21, 28, 35, 42, 49, 56, 63].map((n) => `apply: ${n} of 64`))
  file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: green'))
  expect((await vatom('apply', 'catalog', '--yes', '--quiet')).err).not.toMatch(/^(apply|compare|Unchanged)/m)
})

test('several requests are under way at once where the order allows', async () => {
  let [now, most] = [0, 0]
  const desk = await catalogDesk()
  for (let n = 0; n < 40; n++) desk.file(`catalog/more${n}.yaml`, template(`$publisher::More${n}::v1`))
  const { env } = await lossy(desk.service, async (): Promise<Fate> => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    now--
    return 'answered'
  })
  expect(await desk.run(['apply', 'catalog', '--yes'], { env })).toMatchObject({ code: 0 })
  expect(most).toBeGreaterThan(3)
  expect(most).toBeLessThanOrEqual(8)
})

test('reads standard input, once', async () => {
  const { run, changes, env } = await onLossyWay(() => 'answered')
  changes()
  const stdin = [template(), face()].join('---\n')
  const { VATOM_PUBLISHER: _, ...unnamed } = env
  expect(await run(['apply', '-', '--yes'], { stdin, env: unnamed })).toMatchObject({ code: 0 })
  expect(await run(['apply', '-', '--yes'], { stdin })).toMatchObject({ code: 0, out: '' })
})

test('with tokens from the environment nothing is kept but the ledger and what the catalog owns', async () => {
  const { run, env, home } = await onLossyWay(() => 'answered')
  const own = readdirSync(home, { recursive: true, encoding: 'utf8' })
  expect(await run(['apply', 'catalog', '--yes'], { env, build: 'some' })).toMatchObject({ code: 0 })
  const now = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => !own.includes(name))
  expect(now.sort()).toEqual([
    '.local',
    '.local/share',
    '.local/share/vatom',
    '.local/share/vatom/applied',
    expect.stringMatching(/^\.local\/share\/vatom\/applied\/[0-9a-f]{16}\.jsonl\.done$/),
    '.local/share/vatom/owners',
    expect.stringMatching(/^\.local\/share\/vatom\/owners\/[0-9a-f]{16}\.json$/),
  ])
})

test('a token is renewed ahead of its expiry, once for all that wait for it', async () => {
  let now = testClock().getTime()
  const desk = await publisher({ clock: () => new Date(now) })
  const count = 10
  for (let n = 0; n < count; n++) {
    const name = `$publisher::More${n}::v1`
    desk.file(`catalog/${n}.yaml`, [template(name), variation(`${name}::Red`, name), face(name)].join('---\n'))
  }
  const answered: string[] = []
  let written = 0
  const { env } = await lossy(
    desk.service,
    () => 'answered',
    (status, { method, url }) => {
      answered.push(`${status} ${method} ${url}`)
      if (method !== 'POST' || url?.includes('access_token')) return
      // When all of a kind are there, a day has passed.
      if (++written % count === 0) now += 24 * 3600 * 1000
    },
  )
  const { VATOM_ACCESS_TOKEN: _, ...more } = env
  const options = { env: { ...more, VATOM_REFRESH_TOKEN: await refreshToken(desk) } }
  expect(await desk.run(['apply', 'catalog', '--yes'], options)).toMatchObject({ code: 0 })
  // The first one, and one after each kind: what was created is read at the end.
  expect(answered.filter((one) => one.includes('access_token'))).toHaveLength(4)
  expect(answered.filter((one) => one.startsWith('401'))).toEqual([])
})

async function refreshToken({ service }: Desk): Promise<string> {
  const { body } = await service.inject({
    method: 'POST',
    path: '/v1/user/login',
    headers: { 'app-id': service.appId },
    body: JSON.stringify({
      token: service.publisher.email,
      token_type: 'email',
      auth_data: { password: 'vatom-local' },
    }),
  })
  return JSON.parse(body).payload.refresh_token.token
}

test.each([
  ['a part of the run failed', 'refused', 6],
  ['all was done', 'answered', 1],
] as const)('the exit code where the report cannot be written at the end, and %s', async (_, fate, code) => {
  const { service, run, file, home } = await publisher()
  file('two.yaml', [template(), template('$publisher::Tea::v1')].join('---\n'))
  const { env } = await lossy(service, async (request) => {
    if (request.method !== 'POST' || request.url !== '/v1/templates') return 'answered'
    rmSync(join(home, 'report.xml'), { force: true, recursive: true })
    file('report.xml/full.txt', '')
    return fate === 'refused' && isSecond() ? { status: 400 } : 'answered'
  })
  let sent = 0
  const isSecond = () => ++sent === 2
  const ended = await run(['apply', 'two.yaml', '--yes', '--junit', 'report.xml'], { env })
  expect(ended).toMatchObject({ code, err: expect.stringContaining('error: report.xml cannot be written: ') })
})
