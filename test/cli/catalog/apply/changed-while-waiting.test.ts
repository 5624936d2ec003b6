import { describe, expect, test } from 'vitest'
import { catalogDesk, published } from '../../../fixtures/catalog.ts'
import { coupon, face, red, template, variation } from '../../../fixtures/yaml.ts'
import { type Fate, lossy } from '../../../support/lossy.ts'

const edited = 'was changed by somebody else while this run applied its plan'
const made = 'was created or changed by somebody else while this run applied its plan'

/** What the first write that matches gets: it is not let through, or carried out without an answer. */
const refusals: readonly Fate[] = [
  { status: 429, headers: { 'retry-after': '1' } },
  { status: 502, page: '<h1>Bad Gateway</h1>' },
  'lost',
]
const done: Fate = 'unanswered'
const bounded = refusals[0]
/** What a gateway may answer that sent the change on. */
const away: Fate = { status: 503, headers: { 'retry-after': '1' } }

const unknown = 'hint: the service may have done what was sent: check before you send it again; plan again'

const green = (document: string) => document.replace(/color: (blue|red)/, 'color: green')
const pink = (document: string) => document.replace(/color: (blue|red)/, 'color: pink')

/**
 * Applies a catalog on a way where the first write that matches has a fate; before the next request, which looks the
 * record up, somebody else applies a document. `prepare` makes the catalog another one than that which was applied.
 */
async function waiting(
  writes: RegExp,
  fate: Fate,
  document: string,
  prepare: (desk: Awaited<ReturnType<typeof catalogDesk>>) => unknown,
) {
  let now = new Date('2027-03-01T12:00:00Z')
  const own = await catalogDesk('local', '', { clock: () => now })
  await own.applied()
  await prepare(own)
  own.file('else.yaml', document)
  let isSent = false
  let isChanged = false
  const sent: string[] = []
  const { env } = await lossy(own.service, async ({ method, url = '' }) => {
    if (isSent && !isChanged) {
      isChanged = true
      now = new Date(now.getTime() + 1000)
      expect(await own.vatom('apply', 'else.yaml', '--yes')).toMatchObject({ code: 0 })
    }
    const request = `${method} ${decodeURIComponent(url)}`
    if (!writes.test(request)) return 'answered'
    sent.push(request)
    const isFirst = !isSent
    isSent = true
    return isFirst ? fate : 'answered'
  })
  const words = ['apply', 'catalog', '--yes', '--publish', '--prune-unowned']
  const { code, out, err } = await own.run(words, { env, slept: [] })
  expect(isChanged).toBe(true)
  return { ...own, code, out, err, sent }
}

const color = (record: unknown, section: object) => expect(record).toMatchObject({ properties: section })

describe('what somebody else changed while a change waited to be sent again is left as it is', () => {
  test.each([...refusals, done, away])('an update: %j', async (fate) => {
    const { code, out, err, sent, json } = await waiting(/^PATCH \/v1\/templates\//, fate, green(template()), (own) =>
      own.file('catalog/4-coupon.yaml', pink(template())),
    )
    expect({ code, sent }).toMatchObject({ code: 1, sent: [expect.anything()] })
    expect(err).toContain(`template ${coupon} ${edited}`)
    expect(err).toContain(fate === bounded ? 'hint: it was left as it is; plan again' : unknown)
    expect(err).not.toContain(fate === bounded ? 'may have done' : 'left as it is')
    expect(err).toContain('plan again, and let one run at a time apply')
    expect(out + err).not.toContain('Updated')
    color(await json('template', 'get', coupon), { template: { private: { color: 'green' } } })
  })

  test.each([...refusals, done])('a deletion: %j', async (fate) => {
    const { code, out, err, sent, json } = await waiting(
      /^DELETE \/v1\/template_variations\//,
      fate,
      green(variation()),
      ({ remove }) => remove('3-red'),
    )
    expect({ code, sent }).toMatchObject({ code: 1, sent: [expect.anything()] })
    expect(err).toContain(`variation ${red} ${edited}`)
    expect(err).toContain(fate === bounded ? 'hint: it was not deleted; plan again' : unknown)
    expect(err).not.toMatch(/left as it is/)
    if (fate !== bounded) expect(err).not.toContain('not deleted')
    expect(out + err).not.toContain('Deleted')
    color(await json('variation', 'get', red), { overrides: { vatom: { private: { color: 'green' } } } })
  })

  test('a deletion whose record was made anew as it was before', async () => {
    const same = variation().replace('title: Red coupon', 'title: Red\n    description: Red')
    const { code, err, sent, json } = await waiting(/^DELETE \/v1\/template_var/, 'unanswered', same, ({ remove }) =>
      remove('3-red'),
    )
    expect({ code, sent }).toMatchObject({ code: 1, sent: [expect.anything()] })
    expect(err).toContain(`variation ${red} ${edited}`)
    expect(err).toContain('1 with unknown outcome')
    color(await json('variation', 'get', red), { unpublished: true })
  })

  test.each(refusals)('a creation: %j', async (fate) => {
    const { code, out, err, sent, json } = await waiting(
      /^POST \/v1\/publisher\/face/,
      fate,
      face().replace('resources: [CardImage]', 'resources: []'),
      async ({ vatom, json: read }) => {
        const [{ id }] = Object(await read('face', 'list', coupon))
        await vatom('face', 'delete', id, '--yes')
      },
    )
    expect({ code, sent }).toMatchObject({ code: 1, sent: [expect.anything()] })
    expect(err).toContain(made)
    expect(out + err).not.toContain('Created')
    expect(await json('face', 'list', coupon)).toMatchObject([{ properties: { resources: [] } }])
  })

  test.each(refusals)('a publication: %j', async (fate) => {
    const { code, out, err, sent, json } = await waiting(/^PATCH \/v1\/templates\//, fate, green(template()), (own) =>
      own.file('catalog/4-coupon.yaml', published(template())),
    )
    expect({ code, sent }).toMatchObject({ code: 1, sent: [expect.anything()] })
    expect(err).toContain(`template ${coupon} ${edited}`)
    expect(out + err).not.toContain('Published')
    color(await json('template', 'get', coupon), { unpublished: true, template: { private: { color: 'green' } } })
  })

  test.each(refusals)('a publication of what the same run has created: %j', async (fate) => {
    const { code, out, err, sent, json } = await waiting(/^PATCH /, fate, green(template()), async (own) => {
      await own.vatom('template', 'delete', coupon, '--yes')
      own.file('catalog/4-coupon.yaml', published(template()))
    })
    expect({ code, sent }).toMatchObject({ code: 6, sent: [expect.anything()] })
    expect(err).toContain(`template ${coupon} ${edited}`)
    expect(out + err).not.toContain('it is final now')
    color(await json('template', 'get', coupon), { unpublished: true, template: { private: { color: 'green' } } })
  })
})

const elsewhere = variation().replace('title: Red coupon', 'title: Green')

test.each(refusals)('a change that waited is sent again where its own record is as it was: %j', async (fate) => {
  const { code, sent, json } = await waiting(/^PATCH \/v1\/templates\//, fate, elsewhere, (own) =>
    own.file('catalog/4-coupon.yaml', pink(template())),
  )
  expect({ code, sent }).toMatchObject({ code: 0, sent: [expect.anything(), expect.anything()] })
  color(await json('template', 'get', coupon), { template: { private: { color: 'pink' } } })
})

test.each(refusals)('a change that somebody else made while it waited is not sent again: %j', async (fate) => {
  const { code, sent, json } = await waiting(/^PATCH \/v1\/templates\//, fate, pink(template()), (own) =>
    own.file('catalog/4-coupon.yaml', pink(template())),
  )
  expect({ code, sent }).toMatchObject({ code: 0, sent: [expect.anything()] })
  color(await json('template', 'get', coupon), { template: { private: { color: 'pink' } } })
})
