import { alternate } from './measure.mjs'
import { row } from './results.mjs'
import { floor, machine, startService } from './vatom.mjs'

/** Bar 7: from spawn to the first answer with status 200. */
export async function measure() {
  const { env } = machine()
  const serve = async () => {
    const start = process.hrtime.bigint()
    const { ready, stop } = await startService(['--memory'], env)
    const response = await fetch(`${ready.base_url}/__vatom/health`)
    const elapsed = Number(process.hrtime.bigint() - start) / 1e6
    await response.text()
    await stop()
    if (response.status !== 200) throw new Error(`health answers ${response.status}`)
    return elapsed
  }
  const medians = await alternate({ floor, serve }, { rounds: 30 })
  return [row({ bar: 7, what: '`serve`, spawn to first 200', ours: medians.serve, reference: medians.floor, limit: 4 })]
}
