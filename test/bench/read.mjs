import { loadOf } from './load.mjs'
import { alternate, median } from './measure.mjs'
import { publishExample, signIn } from './publisher.mjs'
import { row } from './results.mjs'
import { machine, startServer, startService } from './vatom.mjs'

const rounds = 5

/** Loads both servers in turn and gives the medians of what wrk reports. */
async function loadInTurn(requests) {
  const reports = Object.fromEntries(Object.keys(requests).map((name) => [name, []]))
  const load = (name) => async (round) => {
    const report = await loadOf(requests[name])
    if (round >= 0) reports[name].push(report)
    return report.rate
  }
  await alternate({ ours: load('ours'), raw: load('raw') }, { rounds, warmup: 1 })
  const of = (name, key) => median(reports[name].map((report) => report[key]))
  return {
    rate: { ours: of('ours', 'rate'), raw: of('raw', 'rate') },
    p99: { ours: of('ours', 'p99'), raw: of('raw', 'p99') },
  }
}

const note =
  'a third of the time of a request goes to writing to the socket, a sixth to collecting garbage; the rest is spread over node:http, fastify and the life of a request. Sessions and vAtoms are read again only after a change.'

/** Bar 8: reading a vAtom by its id with a token, from SQLite on disk. The reference answers as many bytes, always the same. */
export async function measure() {
  const { env, home } = machine()
  const service = await startService(['--quiet', '--db', `${home}/bench.db`], env)
  const { headers, call } = await signIn(service.ready)
  const { variation } = await publishExample({ call })
  const { ids } = await call('POST', '/v1/vatoms', { template_variation: variation, num: 1 })
  const url = `${service.ready.base_url}/v1/vatoms/${ids[0]}`
  const length = (await (await fetch(url, { headers })).text()).length
  const raw = await startServer(process.execPath, [new URL('raw-server.mjs', import.meta.url).pathname, String(length)])
  const { rate, p99 } = await loadInTurn({ ours: { url, headers }, raw: { url: raw.line, headers } })
  await Promise.all([service.stop(), raw.stop()])
  return [
    row({
      bar: 8,
      what: 'GET a vAtom by id, requests',
      ours: rate.ours,
      reference: rate.raw,
      limit: 0.4,
      note,
      least: true,
      unit: '/s',
      digits: 0,
    }),
    row({ bar: 8, what: 'GET a vAtom by id, p99', ours: p99.ours, reference: p99.raw, limit: 3, digits: 2, note }),
  ]
}
