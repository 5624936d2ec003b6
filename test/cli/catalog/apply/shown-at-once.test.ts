import { expect, test } from 'vitest'
import { formats } from '../../../../src/contract/values.ts'
import { catalogDesk } from '../../../fixtures/catalog.ts'
import { coupon, red } from '../../../fixtures/yaml.ts'
import { lossy } from '../../../support/lossy.ts'
import { Capture } from '../../../support/streams.ts'

/** What a run has written when it sends a variation, for which it needs the template, and when it has ended. */
async function watched(words: readonly string[]) {
  const desk = await catalogDesk()
  const [stdout, stderr] = [new Capture(), new Capture()]
  const texts = () => ({ out: stdout.text, err: stderr.text })
  const meanwhile: ReturnType<typeof texts>[] = []
  const { env } = await lossy(desk.service, ({ method, url }) => {
    if (method === 'POST' && url === '/v1/template_variations') meanwhile.push(texts())
    return 'answered'
  })
  await desk.run(['apply', 'catalog', '--yes', ...words], { env, stdout, screen: stderr })
  const [before = texts()] = meanwhile
  return { before, after: texts() }
}

const createdTemplate = `Created template ${coupon} (draft)`
const createdVariation = `Created variation ${red} (draft)`
const countOf = (text: string, part: string) => text.split(part).length - 1

test('what is done is named at once, and only once', async () => {
  const { before, after } = await watched([])
  expect(before.out).toContain(createdTemplate)
  expect(before.out + before.err).not.toContain(createdVariation)
  expect([createdTemplate, createdVariation].map((line) => countOf(after.out + after.err, line))).toEqual([1, 1])
  expect(after.err).toMatch(/\n4 created\n$/)
})

test.each(formats.filter((one) => one !== 'text'))(
  'with the format %s, it is named at once as a note',
  async (format) => {
    const { before, after } = await watched(['--format', format])
    expect(before.out).toBe('')
    expect(before.err).toContain(createdTemplate)
    expect(before.err).not.toContain(createdVariation)
    expect([createdTemplate, createdVariation].map((line) => countOf(after.err, line))).toEqual([1, 1])
  },
)

test('with --quiet, it is named at once as output, and no note is there', async () => {
  const { before, after } = await watched(['--quiet'])
  expect(before.out).toContain(createdTemplate)
  expect(after.err).not.toContain(createdTemplate)
})
