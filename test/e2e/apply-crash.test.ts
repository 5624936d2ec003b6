// biome-ignore-all lint/suspicious/noThenProperty: the word of the format; no promise is made of it
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { at } from '../../src/contract/schema/path.ts'
import { parseJson } from '../../src/contract/unknown-values.ts'
import { openService } from '../../src/server/service.ts'
import { face, template, variation } from '../fixtures/yaml.ts'
import { gate } from '../support/action-handler.ts'
import { type Ended, ended, newMachine } from '../support/binary.ts'
import { type Fate, lossy } from '../support/lossy.ts'
import { asked } from '../support/serving.ts'

/** Templates of a catalog, each with a variation and a face. */
const templates = 16
/** How the runs of one catalog are cut off: `npm run chaos -- kill` does it as often as one likes. */
const cuts = ['SIGKILL', 'SIGKILL', 'SIGINT', 'SIGKILL'] as const

const nameOf = (n: number) => `local.vatom::Item${n}::v1`

/** A served service and a machine with a catalog for it; nothing but the environment says where to go and who goes. */
async function catalogOf(count: number) {
  const service = await openService({ db: ':memory:', scryptCost: 16 })
  onTestFinished(() => service.close())
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const machine = newMachine()
  const folder = join(machine.home, 'catalog')
  mkdirSync(folder)
  for (let n = 0; n < count; n++) {
    const documents = [face(nameOf(n)), variation(`${nameOf(n)}::Red`, nameOf(n)), template(nameOf(n))]
    writeFileSync(join(folder, `${n}.yaml`), documents.join('---\n'))
  }
  const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId, VATOM_ACCESS_TOKEN: service.localToken() }
  const start = () => machine.start(['apply', 'catalog', '--yes', '--json'], { env })
  const tool = async (method: string, path: string, body?: unknown) => {
    const sent = await fetch(`${baseUrl}/__vatom/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return Object(await sent.json()).payload
  }
  return { count, service, start, tool, ledgers: join(machine.home, '.local/share/vatom/applied') }
}
type Catalog = Awaited<ReturnType<typeof catalogOf>>

/** The ledger of a run, the writes that it says were begun, and how many of them it does not say were settled. */
function ledgerIn(folder: string): { readonly run: string; readonly begun: number; readonly unsettled: number } {
  const [file] = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []
  if (file === undefined) return { run: '', begun: 0, unsettled: 0 }
  const [run = '', ...lines] = readFileSync(join(folder, file), 'utf8').split('\n')
  const begun = tasksOf('begin', lines)
  const settled = new Set(tasksOf('settled', lines))
  return { run, begun: begun.length, unsettled: begun.filter((task) => !settled.has(task)).length }
}

/** The tasks that whole lines of a ledger name by a key. */
const tasksOf = (key: string, lines: readonly string[]): unknown[] =>
  lines.map((line) => at(parseJson(line), key)).filter((task) => task !== undefined)

/** Starts a run and ends it when it has begun so many writes; answers how many it had begun. */
async function cutOff({ start, ledgers }: Catalog, after: number, signal: NodeJS.Signals): Promise<number> {
  const before = ledgerIn(ledgers)
  const child = start()
  const run = ended(child)
  for (;;) {
    const now = ledgerIn(ledgers)
    if (child.exitCode !== null || (now.run !== before.run && now.begun >= after)) break
    await setTimeout(1)
  }
  child.kill(signal)
  const { code, signal: endedBy, err } = await run
  const expected = signal === 'SIGKILL' ? { code: null, endedBy: signal } : { code: 130, endedBy: null }
  expect({ code, endedBy, stack: err.match(/^\s+at /m) }).toEqual({ ...expected, stack: null })
  return ledgerIn(ledgers).begun
}

/** Every template of a catalog is there, with one variation and one face. */
async function checkWhole({ count, service }: Catalog): Promise<void> {
  const listed = async (path: string) => Object(await asked(service, 'GET', path))
  const found = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const query = `template=${encodeURIComponent(nameOf(n))}`
      const [variations, faces] = await Promise.all([
        listed(`/v1/template_variations?${query}`),
        listed(`/v1/publisher/face?${query}`),
      ])
      return `${variations.length} ${faces.length}`
    }),
  )
  expect(new Set(found)).toEqual(new Set(['1 1']))
}

/** One more run finds nothing to do, while every write would fail. */
async function checkNothingLeft({ count, start, tool }: Catalog): Promise<void> {
  await tool('DELETE', 'journal')
  await tool(
    'PUT',
    'scenario',
    ['POST', 'PATCH', 'DELETE', 'PUT'].map((method) => ({ match: { method }, then: { status: 500 } })),
  )
  const { code, out } = await ended(start())
  const { results, summary } = JSON.parse(out)
  const none = { failed: 0, take_over: 0, labelled: 0, unlabelled: 0, withheld: 0 }
  expect({ code, summary }).toEqual({ code: 0, summary: { total: 3 * count, ok: 3 * count, ...none } })
  expect(new Set(results.map(({ status }: { status: string }) => status))).toEqual(new Set(['unchanged']))
  const methods = (await tool('GET', 'journal')).map((entry: unknown) => at(entry, 'method'))
  expect(new Set(methods)).toEqual(new Set(['GET']))
}

test('a run that is cut off at any moment is finished by the next, and nothing is made twice', async () => {
  const catalog = await catalogOf(templates)
  let begun = 0
  for (const [cut, signal] of cuts.entries()) {
    const moment = ((cut + Math.random()) / (cuts.length + 1)) * 3 * catalog.count
    begun += await cutOff(catalog, Math.max(0, moment - begun), signal)
  }
  // The last may have been cut off when all was written, or before it began anything.
  const isLeft = ledgerIn(catalog.ledgers).unsettled > 0
  const { code, err } = await ended(catalog.start())
  expect({ code, continues: err.includes('continue from there') }).toEqual({ code: 0, continues: isLeft })
  await checkWhole(catalog)
  await checkNothingLeft(catalog)
}, 120_000)

test('the output of a run that is killed names what the service said it did, and nothing else', async () => {
  const { home, start } = newMachine()
  const service = await openService({ db: ':memory:', scryptCost: 16 })
  onTestFinished(() => service.close())
  writeFileSync(join(home, 'a.yaml'), [template(nameOf(1)), variation(`${nameOf(1)}::Red`, nameOf(1))].join('---\n'))
  const sent = gate()
  const { env } = await lossy(service, async ({ method, url }): Promise<Fate> => {
    if (method === 'POST' && url === '/v1/template_variations') {
      sent.open()
      await new Promise(() => {})
    }
    return 'answered'
  })
  const child = start(['apply', 'a.yaml', '--yes'], { env })
  const run = ended(child)
  await sent.opened
  child.kill('SIGKILL')
  expect(await run).toMatchObject({
    signal: 'SIGKILL',
    out: `Created template ${nameOf(1)} (draft) on ${env.VATOM_BASE_URL}\n`,
  })
})

test('of two runs at once, one says that the other is at work, or both end well', async () => {
  const catalog = await catalogOf(12)
  const runs = await Promise.all([ended(catalog.start()), ended(catalog.start())])
  expect(runs.filter(({ code }) => code === 0).length).toBeGreaterThan(0)
  const refused = ({ code, out }: Ended) => code === 1 && JSON.parse(out).error.code === 'apply_running'
  expect(runs.filter((run) => run.code !== 0 && !refused(run))).toEqual([])
  await checkWhole(catalog)
  await checkNothingLeft(catalog)
}, 30_000)
