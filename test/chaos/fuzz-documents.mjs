import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { parseAllDocuments, stringify } from 'yaml'
import { root } from '../bench/vatom.mjs'
import { mutated, strange } from './json-schema-values.mjs'
import { newMachine } from './machine.mjs'
import { ask } from './serve.mjs'

const perRun = 40
/** Every so many documents, one is valid. */
const validEvery = 10
const template = 'local.vatom::Bench::v1'

/** Kinds of documents: the file of a valid one, a name of its own, and where it is created. */
const kinds = {
  template: { file: '', own: (at) => ({ template: `local.vatom::Fuzz${at}::v1` }), route: '/v1/templates' },
  variation: {
    file: '.variation',
    own: (at) => ({ template, template_variation: `${template}::Fuzz${at}` }),
    route: '/v1/template_variations',
  },
  face: { file: '.faces', own: () => ({ template }), route: '/v1/publisher/face' },
  action: {
    file: '.actions',
    own: (at) => ({ name: `${template}::Action::Fuzz${at}` }),
    route: '/v1/publisher/action',
  },
}

function example(file) {
  const text = readFileSync(path.join(root, `templates-examples/coffee-coupon${file}.yaml`), 'utf8')
  return parseAllDocuments(text.replaceAll('$publisher', 'local.vatom'))[0].toJSON()
}

/** What YAML can hold, without the placeholder that only the command line replaces. */
const writable = (value) =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/\\ud[89a-f][\da-f]{2}/gi, '?')
      .replaceAll('$publisher', 'publisher'),
  )

/** Documents of a kind: valid ones, and ones with one mutation. */
function documentsOf({ file, own }, seed) {
  const valid = example(file)
  const change = fc.record({ picks: fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }), replacement: strange })
  return fc.sample(change, { seed, numRuns: perRun }).map(({ picks, replacement }, at) => {
    const document = { ...valid, ...own(at) }
    return at % validEvery === 0 ? document : existing(writable(mutated(document, picks, replacement)), document)
  })
}

/** A mutated document that names no template or resource which only the service knows to be missing. */
function existing(changed, valid) {
  if (typeof changed?.template === 'string' && valid.template === template) changed.template = template
  if (Array.isArray(changed?.resources))
    changed.resources = changed.resources.map((one, at) =>
      typeof one === 'string' ? valid.resources[at % valid.resources.length] : one,
    )
  return changed
}

/** The paths at which the service refuses a body, none where it has no path; undefined where it accepts it. */
async function refusedByService(ready, token, route, document) {
  const headers = { 'Vatom-Dry-Run': 'true' }
  const { status, body } = await ask(ready, 'POST', route, { token, body: JSON.stringify(document), headers })
  if (status >= 500) throw new Error(`${JSON.stringify(document)} is answered ${status}`)
  return status === 200 ? undefined : (body.issues ?? []).map((issue) => issue.path)
}

/** A document that says its kind, which else its fields show. */
const withKind = (kind, document) =>
  typeof document === 'object' && document !== null && !Array.isArray(document) ? { kind, ...document } : document

/** The paths of errors that the command line finds, by the name of the file. */
async function refusedByCommand(kind, documents) {
  const machine = newMachine()
  mkdirSync(path.join(machine.home, 'c'))
  const files = documents.map((_, at) => path.join('c', `${at}.yaml`))
  for (const [at, file] of files.entries())
    writeFileSync(path.join(machine.home, file), stringify(withKind(kind, documents[at])))
  writeFileSync(path.join(machine.home, 'c', 'bench.yaml'), stringify({ ...example(''), template, unpublished: false }))
  const { code, out, err } = await machine.start([kind, 'validate', ...files, '--within', 'c', '--json']).ended
  rmSync(machine.home, { recursive: true })
  if (code !== 0 && code !== 3) throw new Error(`validate exits ${code}: ${err}`)
  const { results, error } = JSON.parse(out)
  const problems = [...results.flatMap((result) => result.problems ?? []), ...(error?.issues ?? [])]
  // The service is given each document by itself.
  const errors = problems.filter(({ severity, rule }) => severity === 'error' && rule !== 'face-twice')
  return (at) => errors.filter(({ file }) => path.basename(file) === `${at}.yaml`).map((problem) => problem.path)
}

/** What is wrong if the command line and the service do not refuse the same at the same place. */
function difference(service, command) {
  if (service === undefined && command.length > 0) return `only the command line refuses it, at ${command.join(', ')}`
  if (service !== undefined && command.length === 0) return `only the service refuses it, at ${service.join(', ')}`
  const missing = (service ?? []).filter((place) => !command.includes(place))
  return missing.length > 0
    ? `refused at ${missing.join(', ')} by the service, at ${command.join(', ')} by the command line`
    : undefined
}

/** Valid documents and ones with one mutation: the command line and the service accept the same ones, or refuse them at the same places. */
export async function fuzzDocuments(ready, { count, seed, isOver }, freshToken) {
  const faults = []
  let [compared, refused] = [0, 0]
  for (let round = 0; round * perRun < count && !isOver(); round++) {
    const [kind, { route, ...shape }] = Object.entries(kinds)[round % Object.keys(kinds).length]
    const documents = documentsOf(shape, seed + round)
    const command = await refusedByCommand(kind, documents)
    const token = await freshToken()
    for (const [at, document] of documents.entries()) {
      const service = await refusedByService(ready, token, route, document)
      compared++
      refused += Number(service !== undefined)
      const found = difference(service, command(at))
      if (found) faults.push(`${kind} ${JSON.stringify(document)}: ${found}`)
    }
  }
  return { figures: `${compared} documents given to both, ${refused} of them refused by both`, faults }
}
