import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { loadSource } from '../bench/load-source.mjs'
import { publishExample } from '../bench/publisher.mjs'
import { mutated, strange, valuesOf } from './json-schema-values.mjs'
import { ask, callerOf, sessionOf } from './serve.mjs'

const atOnce = 4
/** Operations that change or end the caller's own sign-in: another user calls them. */
const ownAccount = new Set(['logout', 'deleteUser', 'updateProfile'])
/** Operations that hash a password, which takes long. */
const hashes = new Set(['registerUser', 'login'])
/** What an operation does to the answers of all others is ended before the next request. */
const undo = { setScenario: ['DELETE', '/__vatom/scenario'] }
/** The error of a search that is stopped after its time, which can be right: requests before it emit thousands of vAtoms. */
const busy = 9016

/** Every operation of the document of the API, with the schemas of its body and answers. */
function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
      isLocal: path.startsWith('/__vatom/'),
      body: operation.requestBody?.content['application/json']?.schema,
      parameters: operation.parameters ?? [],
      statuses: Object.keys(operation.responses),
      isText: 'text/plain' in (operation.responses[200]?.content ?? {}),
    })),
  )
}

/** What checks an answer: the schema of its status, or that of errors. */
function answerChecks(document) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
  ajv.addSchema(document, 'api')
  const checks = new Map()
  return ({ path, method, isText }, status) => {
    if (status === 200 && isText) return () => undefined
    const place =
      status === 200
        ? `paths/${pointer(path)}/${method.toLowerCase()}/responses/200/content/application~1json/schema`
        : 'components/schemas/Error'
    if (!checks.has(place)) checks.set(place, ajv.compile({ $ref: `api#/${place}` }))
    const check = checks.get(place)
    return (body) => (check(body) ? undefined : ajv.errorsText(check.errors))
  }
}
const pointer = (part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/** A request of an operation: a valid body or one mutation of it, ids and names that exist or not. */
function requestsOf({ body, parameters, path }, tools) {
  const name = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...tools.known.anything) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.toWellFormed()) },
  )
  const query = parameters.filter((one) => one.in === 'query')
  const values = Object.fromEntries(query.map((one) => [one.name, fc.oneof(valuesOf(one.schema, tools), strange)]))
  return fc.record({
    path: fc.array(name, { minLength: 3, maxLength: 3 }).map((names) => {
      let at = 0
      return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(names[at++]) || 'x')
    }),
    query: fc.record(values, { requiredKeys: [] }),
    body: body ? valuesOf(body, tools) : fc.constant(undefined),
    isMutated: fc.boolean(),
    picks: fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
    replacement: strange,
  })
}

const queryText = (query) => {
  const entries = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value),
  ])
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}

async function knownRecords(ready, token, { id }) {
  const { face } = await loadSource('test/fixtures/bodies.ts')
  const call = callerOf(ready, token)
  const { template, variation } = await publishExample({ call })
  const { ids } = await call('POST', '/v1/vatoms', { template_variation: variation, num: 40 })
  const faces = await call('POST', '/v1/publisher/face', face({ template, resources: ['ActivatedImage'] }))
  await call('POST', '/v1/publisher/action', {
    name: `${template}::Action::Transfer`,
    reactor: 'blockv://v1/Transfer',
    wait: true,
  })
  const anything = [template, variation, ...ids, String(faces.id), id, 'Transfer', `${template}::Action::Transfer`]
  return {
    template: [template],
    template_variation: [variation],
    ids: [ids],
    'this.id': ids,
    id: [id, ...ids],
    templates: [[template]],
    parent_id: ['.', '*'],
    anything,
  }
}
async function newUser(ready, name) {
  const body = { password: 'a long password', user_tokens: [{ token: `${name}@example.com`, token_type: 'email' }] }
  return (await ask(ready, 'POST', '/v1/users', { body })).body.payload
}

/** Asks every operation of the API and every route of the service beyond it. */
export async function fuzzOperations(ready, { count, seed, isOver }) {
  const { openApi } = await loadSource('src/contract/derived/openapi.ts')
  const document = openApi()
  const check = answerChecks(document)
  let session = await sessionOf(ready)
  const known = await knownRecords(ready, session.access_token.token, (await newUser(ready, 'known')).user)
  const tools = { known, resolve: (ref) => document.components.schemas[ref.slice('#/components/schemas/'.length)] }
  const operations = operationsOf(document)
  const rounds = Math.ceil(count / operations.length)
  const faults = []
  const counts = { requests: 0, accepted: 0 }
  let signedIn = performance.now()
  for (const [index, operation] of operations.entries()) {
    const runs = hashes.has(operation.name) || ownAccount.has(operation.name) ? Math.min(rounds, 40) : rounds
    const requests = fc.sample(requestsOf(operation, tools), { seed: seed + index, numRuns: runs })
    const step = undo[operation.name] ? 1 : atOnce
    for (let at = 0; at < requests.length && !isOver(); at += step) {
      if (performance.now() - signedIn > 120_000) {
        session = await sessionOf(ready)
        signedIn = performance.now()
      }
      const token = ownAccount.has(operation.name)
        ? (await newUser(ready, `${operation.name}${at}`)).access_token.token
        : session.access_token.token
      await Promise.all(
        requests.slice(at, at + step).map(async (request) => {
          const found = await faultOf(ready, operation, request, { token, check, counts })
          if (found) faults.push(`${operation.name}: ${found}`)
        }),
      )
      if (undo[operation.name]) await ask(ready, ...undo[operation.name])
    }
    await ask(ready, 'DELETE', '/__vatom/clock')
  }
  return {
    figures: `${counts.requests} requests of ${operations.length} operations, ${counts.accepted} of them accepted`,
    faults,
  }
}

async function faultOf(
  ready,
  operation,
  { path, query, body, isMutated, picks, replacement },
  { token, check, counts },
) {
  const sent = body === undefined ? undefined : isMutated ? mutated(body, picks, replacement) : body
  const text = sent === undefined ? undefined : JSON.stringify(sent)
  const usable = operation.method === 'GET' ? undefined : text
  const route = path + queryText(query)
  counts.requests++
  try {
    const answer = await ask(ready, operation.method, route, { token, body: usable })
    counts.accepted += Number(answer.status === 200)
    const what = `${operation.method} ${route} ${text} is answered ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`
    if (answer.status >= 500 && !(operation.name === 'discover' && answer.body.error === busy)) return what
    const wrong = check(operation, answer.status)(answer.body)
    return wrong && `${what}: ${wrong}`
  } catch (error) {
    return `${operation.method} ${route} ${text} fails: ${error.cause?.message ?? error.message}`
  }
}
