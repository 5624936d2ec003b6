import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Environment } from '../environment.ts'
import { durationBounds, type OperationCounts, type RequestCounts } from './request-counts.ts'

const registries = new WeakMap<Environment, Registry>()

/** The metrics of a service and its process, in the text format of Prometheus. */
export function metricsText(environment: Environment): Promise<string> {
  const registry = registries.get(environment) ?? registryOf(environment)
  registries.set(environment, registry)
  return registry.metrics()
}

function registryOf(environment: Environment): Registry {
  const { store, monitoring } = environment
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Counter({
    name: 'vatom_requests_total',
    help: 'Requests for operations of the API, by status; other: for no operation.',
    labelNames: ['operation', 'status'],
    registers,
    collect() {
      this.reset()
      for (const [operation, { byStatus }] of monitoring.requests.byOperation)
        for (const [status, count] of byStatus) this.inc({ operation, status }, count)
    },
  })
  registry.registerMetric(new Durations(monitoring.requests))
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge('vatom_database_bytes', 'Size of the database.', store.size)
  gauge('vatom_writes_waiting', 'Writes that wait for their turn.', () => store.waiting().writes)
  gauge('vatom_searches_waiting', 'Searches that wait for their turn.', () => store.waiting().searches)
  gauge('vatom_connections_open', 'Open connections, with those of WebSockets.', () => monitoring.open.connections)
  gauge('vatom_websockets_open', 'Open WebSockets.', () => monitoring.open.websockets)
  return registry
}

const name = 'vatom_request_duration_seconds'
const help = 'How long requests took.'

/** How long requests took since the start of the service, which is longer than this library is loaded. */
class Durations extends Histogram<'operation'> {
  readonly #counts: RequestCounts

  constructor(counts: RequestCounts) {
    super({ name, help, labelNames: ['operation'], registers: [] })
    this.#counts = counts
  }

  /** What a registry prints. */
  async getForPromString() {
    const values = [...this.#counts.byOperation].flatMap(valuesOf)
    return { name, help, type: 'histogram', aggregator: 'sum', values }
  }
}

function valuesOf([operation, { byDuration, count, seconds }]: readonly [string, OperationCounts]) {
  let sum = 0
  const buckets = durationBounds.map((le, index) => {
    sum += byDuration[index] ?? 0
    return { metricName: `${name}_bucket`, labels: { operation, le }, value: sum }
  })
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { operation, le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels: { operation }, value: seconds },
    { metricName: `${name}_count`, labels: { operation }, value: count },
  ]
}
