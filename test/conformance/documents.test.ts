import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { yamlLines } from '../../src/cli/io/yaml.ts'
import { api } from '../../src/contract/api/table.ts'
import { kindOf } from '../../src/contract/kinds/kinds.ts'
import type { KindName } from '../../src/contract/values.ts'
import { checkFiles } from '../../src/documents/load/check-files.ts'
import { readFile } from '../../src/documents/load/read-file.ts'
import { mutated, overlayOfSample, valid } from '../fixtures/arbitraries.ts'
import { bodies } from '../fixtures/samples.ts'
import { type Answer, made, testService } from '../support/service.ts'

type Json = Record<string, unknown>
const publisher = 'acme'
const coupon = 'acme::Coupon::v1'
const onChain = { network: 'testnet', fields: { points: { type: 'uint', value: 1 } } }

/** A service with the template that the variations, faces and actions of `bodies` are made for. */
async function couponService() {
  const world = await testService({ publishers: [publisher] })
  await made(world.publisher, [
    'POST',
    '/v1/templates',
    { ...bodies.template(), unpublished: false, eth: onChain, eos: onChain },
  ])
  let count = 0
  /** Sends a document under a name of its own. */
  const create = async (kind: KindName, body: Json): Promise<Answer & { readonly sent: Json }> => {
    const { nameKey, operations, key } = kindOf(kind)
    const name = body[nameKey]
    const sent =
      key === 'name' && typeof name === 'string' && kind !== 'action'
        ? { ...body, [nameKey]: `${name}${count++}` }
        : body
    const { method, path } = api[operations.create]
    return { ...(await world.publisher.call(method, path, { body: sent })), sent }
  }
  return { ...world, create }
}

/** A text as a file of a document, as the command line reads it. */
async function asFile(kind: KindName, file: string, text: string) {
  const options = { noun: kind, publisher }
  const [checked] = await checkFiles([readFile({ file, named: true }, Buffer.from(text), options)], options)
  return {
    problems: [...(checked?.problems ?? []), ...(checked?.documents[0]?.problems ?? [])],
    documents: checked?.documents ?? [],
  }
}

const hasErrors = (problems: readonly { readonly severity: string }[]) =>
  problems.some(({ severity }) => severity === 'error')

/** Codes of errors about what a document itself says, whatever the service has. */
const ofContent = [516, 9003]

describe.each(['template', 'variation', 'face', 'action'] as const)('a %s', (kind) => {
  test('is accepted by the command line exactly as by the service, as far as its content goes', async () => {
    const { create } = await couponService()
    await fc.assert(
      fc.asyncProperty(mutated(kind), async (given) => {
        const { kind: _kind, $schema: _schema, ...body } = given
        const { status, body: answer, text, sent } = await create(kind, body)
        const { problems } = await asFile(kind, 'a.json', JSON.stringify({ kind, ...sent }))
        const refused = status === 400 && ofContent.includes(answer.error)
        expect([hasErrors(problems), sent, problems, text]).toEqual([refused, sent, problems, text])
      }),
      { numRuns: 60 },
    )
  })
})

/** Documents that the service accepts. */
const accepted = {
  template: valid.template,
  variation: fc
    .tuple(valid.variation, overlayOfSample)
    .map(([{ eth: _eth, eos: _eos, ...body }, vatom]) => ({ ...body, template: coupon, vatom })),
  face: valid.face.map((body) => ({ ...body, template: coupon, resources: ['CardImage'] })),
  action: valid.action,
} satisfies Record<KindName, fc.Arbitrary<Json>>

describe.each(['template', 'variation', 'face', 'action'] as const)('an accepted %s', (kind) => {
  const { documentOf, minimal, changes, operations, describes } = kindOf(kind)
  test('reads back as valid and the same', async () => {
    const { create, publisher: admin } = await couponService()
    await fc.assert(
      fc.asyncProperty(accepted[kind], async (body) => {
        const { status, text, sent } = await create(kind, body)
        fc.pre(status === 200 || JSON.parse(text).error !== 516)
        if (status !== 200) throw new Error(text)
        const query = kind === 'face' || kind === 'action' ? `template=${encodeURIComponent(coupon)}` : 'limit=1000'
        const fields = kind === 'face' || kind === 'action' ? '' : '&fields=name,public,meta,properties'
        const { payload } = await admin.call('GET', `${api[operations.list].path}?${query}${fields}`)
        const record = payload.findLast((one: Json) => describes(sent, one))
        const read = documentOf(record)
        const { problems, documents } = await asFile(kind, 'a.yaml', yamlLines({ kind, ...read }).join('\n'))
        expect([hasErrors(problems), problems]).toEqual([false, problems])
        expect(documents[0]?.value).toEqual(JSON.parse(JSON.stringify(read)))
        expect((await changes(sent, record, onChain)).differences).toEqual([])
        expect(minimal(read, publisher)).toEqual(minimal(sent, publisher))
        const { method, path } = api[operations.remove]
        const key = encodeURIComponent(String(record[kindOf(kind).key]))
        await admin.call(method, path.replace(/:\w+/, key))
      }),
      { numRuns: 40 },
    )
  })
})
