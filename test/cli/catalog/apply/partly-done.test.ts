import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limits } from '../../../../src/contract/limits.ts'
import { catalogDesk, published, rowsOf } from '../../../fixtures/catalog.ts'
import { coupon, red, template, variation } from '../../../fixtures/yaml.ts'
import { type Fate, lossy } from '../../../support/lossy.ts'

const creatingVariation = 'POST /v1/template_variations'
const icon = `${coupon} icon, generic, high, native://image`
const transfer = `${coupon}::Action::Transfer`

interface Way {
  readonly fateOf: (request: string, interrupt: () => void) => Fate
  readonly words?: readonly string[]
  /** How many variations the catalog has beside one. */
  readonly more?: number
}

/** Applies a catalog with a template to publish, whose writes have a fate. */
async function partly({ fateOf, words = [], more = 0 }: Way) {
  const desk = await catalogDesk()
  desk.file('catalog/4-coupon.yaml', published(template()))
  for (let nth = 0; nth < more; nth++) desk.file(`catalog/v${nth}.yaml`, variation().replaceAll('Red', `V${nth}`))
  const interrupted = new AbortController()
  const { env } = await lossy(desk.service, ({ method, url }) =>
    method === 'GET' ? 'answered' : fateOf(`${method} ${url}`, () => interrupted.abort()),
  )
  const all = ['apply', 'catalog', '--yes', '--publish', '--junit', 'report.xml', ...words]
  const ran = await desk.run(all, { env, slept: [], signal: interrupted.signal })
  return { ...ran, report: readFileSync(join(desk.home, 'report.xml'), 'utf8') }
}

/** What is said not to be done. */
const undoneIn = (text: string) =>
  [...(/^Not done:\n((?: {2}.*\n)+)/m.exec(text)?.[1] ?? '').matchAll(/^ {2}(.*)$/gm)].map(([, line]) => line)

test('each record that was written is named, also where it was not published, and each that was not done', async () => {
  const { code, out, err } = await partly({
    fateOf: (request) => (request === creatingVariation ? { status: 413 } : 'answered'),
  })
  expect(code).toBe(6)
  // The action and the face are sent at once.
  const [first, ...others] = out.replace(/ on http:\S+?(?=[;\n])/g, '').split('\n')
  expect(first).toBe(`Created template ${coupon} (draft)`)
  expect(others.sort()).toEqual(['', `Created action ${transfer}`, `Created face ${icon}`])
  expect(err).toContain(`${creatingVariation}: no`)
  expect(undoneIn(err)).toEqual([
    `created but not published: template ${coupon} (catalog/4-coupon.yaml)`,
    `refused: variation ${red} (catalog/3-red.yaml)`,
  ])
})

test('where nothing has to be done before, the hint begins with the command that does the rest', async () => {
  const { err } = await partly({ fateOf: (request) => (request === creatingVariation ? { status: 409 } : 'answered') })
  expect(err).toMatch(/\nhint: to do the rest: vatom apply catalog --yes --publish\b/)
  expect(err).not.toContain('hint: then')
})

test.each([400, 409, 422])(
  'a message without a number, with %i, may be of the service, or of what is on the way',
  async (status) => {
    const refusal = { status, page: '{"message": "Color must not be red"}' }
    const { err } = await partly({ fateOf: (request) => (request === creatingVariation ? refusal : 'answered') })
    expect(err).toContain('Color must not be red')
    expect(err).toMatch(/\nhint: (.*; )?if that is not what the service says, something on the way refuses the request/)
  },
)

test('what an interruption left undone is named', async () => {
  const { code, out, err } = await partly({
    fateOf: (request, interrupt) => {
      if (request === creatingVariation) interrupt()
      return 'answered'
    },
  })
  expect(code).toBe(130)
  expect(out).toMatch(/^Created template .* \(draft\) on \S+\nCreated variation .*\n$/)
  expect(undoneIn(err)).toEqual([
    `created but not published: template ${coupon} (catalog/4-coupon.yaml)`,
    `not sent: action ${transfer} (catalog/2-action.yaml)`,
    `not sent: face ${icon} (catalog/1-face.yaml)`,
  ])
})

test('of many that were not done, the first are named and the rest is counted; JSON has all', async () => {
  const { out, err } = await partly({
    fateOf: (request) => (request === creatingVariation ? { status: 413 } : 'answered'),
    more: limits.undoneShown + 1,
    words: ['--json'],
  })
  const [, ...refused] = undoneIn(err)
  expect(refused).toHaveLength(limits.undoneShown + 1)
  expect(refused.at(-1)).toBe('refused: 2 more; --json lists all')
  const statuses = rowsOf(JSON.parse(out), 'status').map((row) => row.split(' ', 2).join(' '))
  expect(statuses.filter((one) => one === 'refused variation')).toHaveLength(limits.undoneShown + 2)
})

test('Markdown and the JUnit report name what was written before its publishing failed', async () => {
  const { out, report } = await partly({
    fateOf: (request) => (request.startsWith('PATCH') ? { status: 413 } : 'answered'),
    words: ['--format', 'markdown'],
  })
  expect(out).toMatch(
    /\*\*Done:\*\*\n\n```text\nCreated template [^`]*; not published: PATCH \S+: no\nCreated variation /,
  )
  expect(out).toContain(
    `**Not done:**\n\n\`\`\`text\ncreated but refused: template ${coupon} (catalog/4-coupon.yaml)\n\`\`\``,
  )
  expect(report).toMatch(
    /<failure message="PATCH \S+: no" type="refused">[^<]*<\/failure>\n +<system-out>Created template [^<]*; not published: PATCH \S+: no</,
  )
})

test('where nothing was done, nothing is listed as left undone', async () => {
  const { err } = await partly({ fateOf: () => ({ status: 413 }) })
  expect(err).toMatch(/^error: /m)
  expect(err).not.toContain('Not done')
})
