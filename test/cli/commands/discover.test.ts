import { describe, expect, test } from 'vitest'
import { at } from '../../../src/contract/schema/path.ts'
import { red, template, variation } from '../../fixtures/yaml.ts'
import { served, stocked, transports } from '../../support/desks.ts'
import { type DeskOptions, publisher } from '../../support/vatom.ts'

describe.each(transports)('on the %s transport', (transport) => {
  test('--count counts page by page where the service answers whole vAtoms only, and no other refusal', async () => {
    const desk = await stocked(transport, { service: { strictSpec: true } })
    await desk.json('emit', red, '--num', '1001')
    expect(await desk.run(['discover', '--mine', '--count'])).toEqual({ code: 0, out: '1001\n', err: '' })
    expect(await desk.json('discover', '--count')).toEqual({ results: [], faces: [], actions: [], count: 1001 })
    expect((await desk.run(['discover', '--count', '--filter', 'category = Gifts'])).out).toBe('0\n')
    const refused = await desk.run(['discover', '--count', '--filter', 'private.size = small'])
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--strict-spec asks for') })
  })

  test('discover finds what was emitted, by scope, filter, page and count', async () => {
    const desk = await stocked(transport)
    const { vatom, json } = desk
    await json('emit', red, '--num', '5')
    expect(await json('discover', '--mine')).toMatchObject({ count: 5 })
    expect(await json('discover', '--filter', 'category = Coupons', '--filter', 'template ~ Cou*v1')).toMatchObject({
      count: 5,
    })
    expect(await json('discover', '--filter', 'category = Gifts')).toMatchObject({ count: 0, results: [] })
    expect(await json('discover', '--filter', 'category = "Coupons"')).toMatchObject({ count: 5 })
    expect(await json('discover', '--filter', 'category = Gifts', 'category = Coupons', '--any')).toMatchObject({
      count: 5,
    })
    expect(await json('discover', '--scope', `template_variation=${red}`, '--limit', '2', '--page', '3')).toMatchObject(
      { count: 1 },
    )
    for (const page of ['0', '-1'])
      expect(await vatom('discover', `--page=${page}`)).toMatchObject({
        code: 2,
        err: expect.stringContaining('it must be a whole number, from 1'),
      })
    expect(await json('discover', '--limit', '2', '--all')).toMatchObject({ count: 5 })
    expect(await json('discover', '--limit', '2')).toMatchObject({ has_more: true, next: 2 })
    expect(await json('discover', '--limit', '5')).toMatchObject({ has_more: false, next: null })
    expect((await vatom('discover', '--limit', '2')).err).toBe('There are more: --limit 2 --page 2, or --all\n')
    const lines = (await vatom('discover', '--limit', '2', '--all', '--ndjson')).out.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(at(await json('discover'), 'results'))
    expect((await vatom('discover', '--count')).out).toBe('5\n')
    expect(await json('discover', '--count')).not.toHaveProperty('has_more')
    const narrow = await desk.run(['discover', '--no-color'], { tty: true })
    expect(narrow.out.split('\n')[1]).toMatch(/^[0-9a-f]{8} {2}Red coupon {2}local\.vatom::Coupon::v1::Red +owner$/)
    expect((await vatom('discover', '--mine')).out.split('\n')[0]).toMatch(
      new RegExp(`^[0-9a-f-]{36}\tRed coupon\t${red}\t`),
    )
  })

  test('discover takes a query from a file, with short names', async () => {
    const desk = await stocked(transport)
    const { json, file } = desk
    await json('emit', red, '--num', '2')
    file(
      'query.yaml',
      'scope: { key: owner, value: $currentuser }\nfilters:\n  - filter_elems:\n      - { field: template, filter_op: Eq, value: $publisher::Coupon::v1 }\n',
    )
    expect(await json('discover', '-f', 'query.yaml')).toMatchObject({ count: 2 })
    file('wrong.yaml', 'scope: { key: ovner, value: me }\n')
    const { code, err } = await desk.vatom('discover', '-f', 'wrong.yaml')
    expect(code).toBe(3)
    expect(err).toContain('wrong.yaml:1:')
  })

  test('flags narrow the query of a file, and give it no second scope', async () => {
    const { json, vatom, file } = await stocked(transport)
    await json('emit', red, '--num', '2')
    const none = 'filters: [{ filter_elems: [{ field: category, filter_op: Eq, value: None }] }]\n'
    file('none.yaml', `scope: { key: template, value: $publisher::Coupon::v1 }\n${none}`)
    const narrowed = ['discover', '-f', 'none.yaml', '--filter', 'template ~ Coupon']
    expect((await vatom(...narrowed, '--count')).out).toBe('0\n')
    expect((await vatom(...narrowed, '--explain')).out).toContain('category = "None"')
    for (const [flag, hint] of [
      [['--mine'], "'owner = $currentuser'"],
      [['--scope', 'owner=$currentuser'], "'FIELD = VALUE'"],
    ] as const) {
      const { code, err } = await vatom('discover', '-f', 'none.yaml', ...flag)
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining(
          `${flag[0]} and the scope in none.yaml exclude each other\nhint: compare the field instead: --filter ${hint}\n`,
        ),
      })
    }
  })

  test('discover expands $publisher, and takes return from a file', async () => {
    const { json, vatom, file } = await stocked(transport)
    await json('emit', red, '--num', '2')
    expect((await vatom('discover', '--filter', 'template = $publisher::Coupon::v1', '--count')).out).toBe('2\n')
    expect((await vatom('discover', '--scope', 'template_variation=$publisher::Coupon::v1::Red', '--count')).out).toBe(
      '2\n',
    )
    file('count.yaml', 'return: { type: count }\n')
    expect((await vatom('discover', '-f', 'count.yaml')).out).toBe('2\n')
  })

  test('discover searches fields beyond the list, and warns about them', async () => {
    const { vatom } = await stocked(transport)
    await vatom('emit', red)
    const custom = await vatom('discover', '--filter', 'private.color = red', '--count')
    expect(custom).toMatchObject({ code: 0, out: '1\n', err: expect.stringContaining('warning: private.color') })
    const listed = await vatom('discover', '--filter', 'category = Coupons', '--count')
    expect(listed).toEqual({ code: 0, out: '1\n', err: '' })
  })
})

/** Five red coupons and two blue ones. */
async function colours(transport: DeskOptions['transport']) {
  const desk = await publisher({ transport })
  desk.file('coupon.yaml', template())
  desk.file('red.yaml', variation())
  desk.file('blue.yaml', variation('$publisher::Coupon::v1::Blue').replace('color: red', 'color: blue'))
  await desk.json('template', 'create', 'coupon.yaml')
  await desk.json('variation', 'create', 'red.yaml', 'blue.yaml')
  await desk.json('emit', '$publisher::Coupon::v1::Red', '--num', '5')
  await desk.json('emit', '$publisher::Coupon::v1::Blue', '--num', '2')
  return desk
}
const query = `filters:
  - filter_elems:
      - { field: category, filter_op: Eq, value: Coupons, bool_op: And }
      - { field: private.color, filter_op: Eq, value: red, bool_op: Or }
      - { field: private.color, filter_op: Match, value: blue }
  - filter_elems:
      - { field: category, filter_op: Ne, value: Gifts }
`

test.each(transports)('%s: discover --explain shows the expression and the number of all', async (transport) => {
  const { json, file, run } = await colours(transport)
  file('query.yaml', query)
  const hits = (count: number) => (transport === 'local' ? count : null)
  const category = 'vAtom::vAtomType.category'
  expect(await json('discover', '-f', 'query.yaml', '--mine', '--explain')).toMatchObject({
    expression:
      `(vAtom::vAtomType.owner is one of $currentuser) And ((${category} = "Coupons" And private.color = "red") ` +
      `Or private.color ~ "blue") And (${category} != "Gifts")`,
    elements: [
      { element: 'vAtom::vAtomType.owner is one of $currentuser', hits: hits(7) },
      { element: `${category} = "Coupons"`, hits: hits(7) },
      { element: 'private.color = "red"', hits: hits(5) },
      { element: 'private.color ~ "blue"', hits: hits(2) },
      { element: `${category} != "Gifts"`, hits: hits(7) },
    ],
    count: 7,
  })
  const { out, err } = await run(['discover', '--filter', 'private.color = red', '--explain', '--no-color'], {
    tty: true,
  })
  const count = transport === 'local' ? '5   ' : '    '
  expect(out).toBe(`private.color = "red"\nHITS  ELEMENT\n${count}  private.color = "red"\n5     all together\n`)
  expect(err.includes('on the local context only')).toBe(transport === 'network')
})

test('discover --explain of no query says so, and goes with no paging', async () => {
  const { vatom } = await publisher()
  expect((await vatom('discover', '--explain')).out).toBe('everything that you can see\n0\tall together\n')
  for (const flag of ['--all', '--count', '--page=2'])
    expect(await vatom('discover', '--explain', flag)).toMatchObject({ code: 2, out: '' })
})

test.each([
  [['--filter', 'title ~ x'], 'title', 'a custom field: private.title; to look for a text in titles: vatom inventory'],
  [['--filter', 'catgory = x'], 'catgory', 'did you mean category? fields: publisher_fqdn, template,'],
  [['--scope', 'stamps=3'], 'stamps', 'a custom field: private.stamps'],
])('%j names the fields that can be searched, and how a custom field is written', async (words, field, hint) => {
  const { vatom } = await publisher()
  const { code, out, err } = await vatom('discover', ...words)
  expect({ code, out, err }).toEqual({
    code: 2,
    out: '',
    err: expect.stringContaining(`${words[0]}: ${field} cannot be searched\n`),
  })
  expect(err).toContain(hint)
  expect(err).not.toMatch(/did you mean (?!category)|acquireable/)
  expect(err.includes('in titles')).toBe(field === 'title')
})

test.each([
  [['--filter', 'oat latte'], "vatom inventory --all | grep -iF -- 'oat latte'"],
  [['oat', 'latte'], "vatom inventory --all | grep -iF -- 'oat latte'"],
  [['--filter', 'titel = Latte'], 'vatom inventory --all | grep -iF -- Latte'],
  [['--filter', 'title = "Latte"'], 'vatom inventory --all | grep -iF -- Latte'],
  [['--filter', 'title like "tea%"'], 'vatom inventory --all | grep -iF -- tea'],
  [['--filter', 'title is Tea'], 'vatom inventory --all | grep -iF -- Tea'],
  [['--filter', 'Tea is good'], "vatom inventory --all | grep -iF -- 'Tea is good'"],
  [['--scope', 'title='], 'vatom inventory --all | grep -iF -- TEXT'],
])('%j, which no query answers, says how to look for it in titles', async (words, command) => {
  const { vatom } = await publisher()
  const { code, err } = await vatom('discover', ...words)
  expect(code).toBe(2)
  expect(err).toContain(`; to look for a text in titles: ${command}\n`)
})

test.each([
  [['--filter', 'private.edition like %stu%'], "did you mean 'private.edition ~ stu'?\n"],
  [['--filter', 'category is "Fun"'], "did you mean 'category = Fun'?\n"],
  [['--filter', 'category is not Fun'], "did you mean 'category != Fun'?\n"],
  [['--filter', 'titel = Latte'], 'did you mean title? '],
])('%j is taken for what it was meant as', async (words, meant) => {
  const { vatom } = await publisher()
  const { code, err } = await vatom('discover', ...words)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`hint: ${meant}`) })
  if (!meant.includes('title')) expect(err).not.toContain('grep')
})

test.each([
  ['category is null', 'compares with what is not there'],
  ['category is not NULL', 'compares with what is not there'],
  ['category not like x', 'finds what does not contain a text'],
])('what no sign can say leads on to all vAtoms: %s', async (text, why) => {
  const { vatom } = await publisher()
  const { code, err } = await vatom('discover', '--filter', text)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('hint: write FIELD SIGN VALUE') })
  expect(err).toContain(`; no sign ${why}: vatom discover --all --json has all fields of all vAtoms\n`)
  expect(err).not.toMatch(/did you mean|grep/)
})

test('a comparison without --filter is named with it', async () => {
  const { vatom } = await publisher()
  expect(await vatom('discover', 'category = Coupons')).toMatchObject({
    code: 2,
    err: expect.stringContaining("hint: run: vatom discover --filter 'category = Coupons'\n"),
  })
  expect((await vatom('discover', '--filter', '= Coupons')).err).not.toContain('titles')
})

describe('what a field is to be equal to', () => {
  test('is a short name or the beginning of an id, as in other commands; a whole one costs no request', async () => {
    const lines: string[] = []
    const desk = await stocked('network', { service: { log: (line) => void lines.push(line) } })
    const ids = at(await desk.json('emit', red, '--num', '2'), 'ids')
    const [id] = Array.isArray(ids) ? ids : []
    const count = async (...args: string[]) => (await desk.run(['discover', ...args, '--count'])).out
    for (const filter of [
      'template = Coupon',
      'template = Coupon::v1',
      'template_variation = "Red"',
      'owner = $currentuser',
    ])
      expect(await count('--filter', filter)).toBe('2\n')
    expect(await count('--filter', 'template != Coupon')).toBe('0\n')
    expect(await count('--scope', 'template_variation=Red')).toBe('2\n')
    expect(await count('--filter', `id = ${String(id).slice(0, 8)}`)).toBe('1\n')
    const requests = async (value: string) => {
      lines.length = 0
      await desk.run(['discover', '--filter', `template_variation = ${value}`])
      return lines.length
    }
    expect(await requests(red)).toBe(1)
    expect(await requests('Red')).toBeGreaterThan(1)
  })

  test("is the beginning of a user's id, of those whom vAtoms have that can be seen", async () => {
    const desk = await stocked('local')
    await desk.json('emit', red, '--num', '2')
    const id = String(at(await desk.json('whoami'), 'id'))
    const count = async (...args: string[]) => (await desk.run(['discover', ...args, '--count'])).out
    const short = id.slice(0, 8)
    for (const value of [short, short.toUpperCase(), id.toUpperCase()])
      expect(await count('--filter', `owner = ${value}`)).toBe('2\n')
    expect(await count('--filter', `owner != ${short}`)).toBe('0\n')
    expect(await count('--filter', `author = ${short}`)).toBe('2\n')
    expect(await count('--scope', `owner=${short}`)).toBe('2\n')
  })

  test.each([
    ['template = Cupon', 1, "hint: did you mean: vatom discover --filter 'template = Coupon' --count\n"],
    [
      'template_variation = Re',
      2,
      `hint: did you mean: vatom discover --filter 'template_variation = ${red}' --count\n`,
    ],
    ['id = 00000000', 1, 'error: No vAtom that you can see has an id that begins with 00000000\n'],
    ['owner = me', 2, "hint: your own: vatom discover --filter 'owner = $currentuser'; the ids"],
    ['owner = ann@example.com', 2, "hint: your own: vatom discover --filter 'owner = $currentuser'; the ids"],
    ['owner = bob', 2, 'error: bob is not the id of a user: owner is compared with a whole id'],
    ['owner != 00000000', 2, 'error: 00000000 is not the id of a user: owner is compared with a whole id'],
    ['author = 12345678', 2, "hint: your own: vatom discover --filter 'author = $currentuser'; the ids"],
    ['visibility_type = pubic', 2, "hint: did you mean: vatom discover --filter 'visibility_type = public' --count\n"],
    ['variation = Gold', 2, 'hint: did you mean template_variation? fields: '],
    ['category == Coupons', 2, "hint: did you mean 'category = Coupons'?\n"],
    ['private.n <> 1', 2, "hint: did you mean 'private.n != 1'?\n"],
    ['private.n >> 1', 2, 'error: --filter private.n >> 1: >> is no sign\n'],
    ['acquirable = yes', 2, 'error: acquirable is never yes: it is one of true, false\n'],
  ])('%s: nothing can be, which is an error and not 0', async (filter, code, err) => {
    const desk = await stocked('local')
    expect(await desk.run(['discover', '--filter', filter, '--count'])).toEqual({
      code,
      out: '',
      err: expect.stringContaining(err),
    })
  })
})

test('a list in a filter is one value, which is said; in quotes it is meant as one', async () => {
  const { run, json } = await stocked('local')
  await json('emit', red)
  const list = await run(['discover', '--count', '--filter', 'category = Gifts, Coupons'])
  expect(list).toEqual({
    code: 0,
    out: '0\n',
    err: "category is compared with all of Gifts, Coupons, as one value; for several: --any --filter 'category = Gifts' --filter 'category = Coupons'\n",
  })
  const meant = ['--any', '--filter', 'category = Gifts', '--filter', 'category = Coupons']
  expect(await run(['discover', '--count', ...meant])).toEqual({ code: 0, out: '1\n', err: '' })
  expect(await run(['discover', '--count', '--filter', 'category = "Gifts, Coupons"'])).toMatchObject({ err: '' })
})

test.each([
  [
    ['--filter', 'category = Coupons and private.color = red'],
    "--filter 'category = Coupons' --filter 'private.color = red'",
    1,
  ],
  [
    ['--filter', 'category = Gifts OR category=Coupons'],
    "--any --filter 'category = Gifts' --filter category=Coupons",
    1,
  ],
  [
    ['--filter', 'category ~ oupon && private.color = red'],
    "--filter 'category ~ oupon' --filter 'private.color = red'",
    1,
  ],
  [
    ['--filter', `category = "Coupons" and private.color != "A, or B"`],
    `--filter 'category = "Coupons"' --filter 'private.color != "A, or B"'`,
    1,
  ],
  [
    ['--scope', 'category=Gifts and private.color = red'],
    "--filter 'category = Gifts' --filter 'private.color = red'",
    0,
  ],
])(
  'several comparisons in one, %j, are one value, which is said with the flags for them',
  async (words, flags, found) => {
    const { run, json } = await stocked('local')
    await json('emit', red)
    const { code, out, err } = await run(['discover', '--count', ...words])
    expect({ code, out }).toEqual({ code: 0, out: '0\n' })
    expect(err).toMatch(/^\w+ is compared with all of .*, as one value; for several: .*\n/)
    expect(err).toContain(`; for several: ${flags}\n`)
    const meant = [...flags.matchAll(/'([^']*)'|(\S+)/g)].map(([, inQuotes, plain]) => inQuotes ?? plain ?? '')
    expect(await run(['discover', '--count', ...meant])).toEqual({
      code: 0,
      out: `${found}\n`,
      err: expect.not.stringContaining('is compared'),
    })
  },
)

test('and and or among comparisons in one need a query in a file, which is said', async () => {
  const { run } = await stocked('local')
  const { err } = await run(['discover', '--count', '--filter', 'category = A and title = B or title = C'])
  expect(err).toContain('all of them hold, with --any one of them; for other expressions: vatom discover --file FILE\n')
})

test('several comparisons in one, of which a field cannot be searched, are no command', async () => {
  const { run } = await stocked('local')
  expect(await run(['discover', '--count', '--filter', 'category = Gifts or title = Tea'])).toEqual({
    code: 0,
    out: '0\n',
    err: 'category is compared with all of Gifts or title = Tea, as one value; title cannot be searched\n',
  })
})

test('a scope with commas is a list, also where one of its values looks like further comparisons', async () => {
  const { run, json } = await stocked('local')
  await json('emit', red)
  const { out, err } = await run(['discover', '--count', '--scope', 'category=Coupons,Gifts or owner = me'])
  expect(out).toBe('1\n')
  expect(err).not.toContain('as one value')
})

const single = ['Salt and Pepper', '"Salt and pepper = 1"', `"It's red and size = 3"`, 'Salt or', 'band = one']
test.each(single)('the text %s of a comparison is not taken for further ones', async (text) => {
  const { run } = await stocked('local')
  expect(await run(['discover', '--count', '--filter', `category = ${text}`])).toEqual({
    code: 0,
    out: '0\n',
    err: '',
  })
})

test('a scope with a comma and a space is a list, which is said, with the comparison that takes the comma', async () => {
  const { run, json } = await stocked('local')
  await json('emit', red)
  const list = await run(['discover', '--count', '--scope', 'category=Gifts, Coupons'])
  expect(list).toEqual({
    code: 0,
    out: '1\n',
    err: expect.stringContaining(
      `category is compared with each of Gifts and Coupons; with the whole text: --filter 'category = "Gifts, Coupons"'\n`,
    ),
  })
  const whole = await run(['discover', '--count', '--filter', 'category = "Gifts, Coupons"'])
  expect(whole).toEqual({ code: 0, out: '0\n', err: '' })
  expect(await run(['discover', '--count', '--scope', 'category=Gifts,Coupons'])).toMatchObject({
    err: expect.not.stringContaining('is compared'),
  })
})

test('for somebody who is no publisher, a short name is no matter of signing in: the whole one is needed', async () => {
  const { run, baseUrl, service } = await served()
  const place = ['--base-url', baseUrl, '--app-id', service.appId]
  expect(await run(['login', '--context', 'visitor', ...place, '--guest'])).toMatchObject({ code: 0 })
  for (const [words, otherwise] of [
    [['discover', '--filter', 'template = Coupon'], ", or find all that contain it: --filter 'template ~ Coupon'"],
    [['discover', '--scope', 'template=Coupon'], ", or find all that contain it: --filter 'template ~ Coupon'"],
    [['discover', '--filter', 'template_variation != Coupon'], "--filter 'template_variation ~ Coupon'"],
    [['template', 'get', 'Coupon'], 'the domain name of its publisher and ::\n'],
  ] as const) {
    const refused = await run(words)
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Coupon is no whole name') })
    expect(refused.err).toContain(otherwise)
    expect(refused.err).not.toMatch(/administrator|sign in/)
  }
  expect((await run(['variation', 'get', 'Coupon'])).err).toContain('You are not an administrator')
})

test('somebody who is no publisher is not told to list what only publishers list', async () => {
  const { run, baseUrl, service } = await served()
  const place = ['--base-url', baseUrl, '--app-id', service.appId]
  expect(await run(['login', '--context', 'visitor', ...place, '--guest'])).toMatchObject({ code: 0 })
  const { code, err } = await run(['template', 'get', 'local.vatom::Coupon::v1'])
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('hint: only administrators of a publisher can list its templates'),
  })
})

test('for somebody who is no publisher, $publisher in a query is an error, and not a text that nothing has', async () => {
  const { run, baseUrl, service } = await served()
  const place = ['--base-url', baseUrl, '--app-id', service.appId]
  expect(await run(['login', '--context', 'visitor', ...place, '--guest'])).toMatchObject({ code: 0 })
  for (const words of [
    ['--filter', 'template = $publisher::Coupon::v1'],
    ['--scope', 'template=$publisher::Coupon::v1'],
  ])
    expect(await run(['discover', ...words, '--count'])).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('You are not an administrator of a publisher on visitor'),
    })
  expect(await run(['discover', '--filter', 'template = local.vatom::Coupon::v1', '--count'])).toMatchObject({
    code: 0,
    out: '0\n',
  })
})
