import { cpSync } from 'node:fs'
import path from 'node:path'
import { scratchFolder } from '../bench/vatom.mjs'
import { boundsOf, resultOf } from './bounds.mjs'
import { newMachine } from './machine.mjs'
import { ask, callerOf, freshToken, integrityOf, namesIn, serve, sessionOf } from './serve.mjs'

const rivals = 8
const draft = (template) => ({
  template,
  vatom: { 'vAtom::vAtomType': { root_type: 'vAtom::vAtomType', title: 'Race' } },
})

/** What only one of several requests at once can get; each is made ready by what it returns. */
const races = {
  'the name of a template': (_, round) => {
    const body = draft(`local.vatom::Race${round}::v1`)
    return () => ['POST', '/v1/templates', body]
  },
  'the deletion of a template': async (call, round) => {
    const { template } = draft(`local.vatom::Gone${round}::v1`)
    await call('POST', '/v1/templates', draft(template))
    return () => ['DELETE', `/v1/templates/${encodeURIComponent(template)}`]
  },
  'the name of a variation': async (call, round) => {
    const template = `local.vatom::Varied${round}::v1`
    await call('POST', '/v1/templates', draft(template))
    return () => ['POST', '/v1/template_variations', { template_variation: `${template}::A`, template }]
  },
  'the trash of a vAtom': async (call, round) => {
    const template = `local.vatom::Trash${round}::v1`
    await call('POST', '/v1/templates', draft(template))
    const template_variation = `${template}::A`
    await call('POST', '/v1/template_variations', { template_variation, template })
    const { ids } = await call('POST', '/v1/vatoms', { template_variation, num: 1 })
    return () => ['POST', '/v1/user/vatom/trash', { 'this.id': ids[0] }]
  },
}

/** Runs one race between two services on one database: exactly one request may win, the others are refused. */
async function race(services, session, [name, prepare], round) {
  const tokens = await Promise.all(services.map(({ ready }) => freshToken(ready, session)))
  const requestOf = await prepare(callerOf(services[0].ready, tokens[0]), round)
  const statuses = await Promise.all(
    Array.from({ length: rivals }, async (_, rival) => {
      const [method, route, body] = requestOf()
      const { ready } = services[rival % 2]
      return (await ask(ready, method, route, { token: tokens[rival % 2], body })).status
    }),
  )
  const winners = statuses.filter((status) => status === 200).length
  const broken = statuses.filter((status) => status >= 500)
  return [
    ...(winners === 1 ? [] : [`${winners} of ${rivals} requests win ${name}, round ${round}`]),
    ...(broken.length === 0 ? [] : [`${name}, round ${round}: answered ${broken.join(', ')}`]),
  ]
}

/** Applies one catalog by four processes at once to one local database: each ends well or names the other, no record is made twice. */
async function applyTogether(base, round) {
  const machine = newMachine()
  cpSync(base, machine.home, { recursive: true })
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => machine.start(['apply', 'shop', '--yes', '--json']).ended),
  )
  const last = await machine.start(['apply', 'shop', '--yes']).ended
  const db = path.join(machine.home, '.local/share/vatom/local.db')
  const isGood = ({ code, out }) => code === 0 || JSON.parse(out).error?.code === 'apply_running'
  const counts = [
    ['templates', 'name', 1],
    ['variations', 'name', 1],
    ['faces', 'id', 2],
    ['actions', 'name', 1],
  ].filter(([table, column, count]) => namesIn(db, table, column).size !== count)
  return [
    ...runs.filter((run) => !isGood(run)).map(({ code, err }) => `apply, round ${round}: exits ${code}: ${err}`),
    ...(runs.some(({ code }) => code === 0) ? [] : [`apply, round ${round}: no run succeeds`]),
    ...(last.code === 0 ? [] : [`apply, round ${round}: the next run exits ${last.code}: ${last.err}`]),
    ...counts.map(([table]) => `apply, round ${round}: wrong number of ${table}`),
  ]
}

/** Two services on one database, requests of which only one can win, and one catalog applied by four processes at once. */
export async function run(args) {
  const { count, seed, isOver } = boundsOf(args, { count: 100, seconds: 600 })
  const db = path.join(scratchFolder(), 'races.db')
  const services = [await serve(db), await serve(db)]
  const session = await sessionOf(services[0].ready)
  const faults = []
  let ran = 0
  for (let round = 0; round < count && !isOver(); round++)
    for (const entry of Object.entries(races)) {
      faults.push(...(await race(services, session, entry, round)))
      ran++
    }
  await Promise.all(services.map(({ stop }) => stop()))
  if (integrityOf(db) !== 'ok') faults.push('the integrity check fails')
  const machine = newMachine()
  await machine.start(['init', 'shop']).ended
  let applied = 0
  for (let round = 0; round < Math.ceil(count / 5) && !isOver(); round++, applied++)
    faults.push(...(await applyTogether(machine.home, round)))
  const figures = `${ran} races of ${rivals} requests at two services with one winner each, ${applied} catalogs applied by 4 processes at once`
  return resultOf(figures, faults, seed)
}
