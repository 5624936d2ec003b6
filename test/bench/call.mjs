import { alternate, timeProcess } from './measure.mjs'
import { row } from './results.mjs'
import { entry, floor, loginWords, machine, startService } from './vatom.mjs'

/** Bar 5: one authenticated call over loopback, from a saved session. */
export async function measure() {
  const { time, env } = machine()
  const { ready, stop } = await startService(['--memory'], env)
  const { password } = ready.publisher
  timeProcess({ command: process.execPath, args: [entry, ...loginWords(ready)], env, input: password })
  const medians = await alternate({ floor, call: () => time(['profile', 'get', '--json']) }, { rounds: 30 })
  await stop()
  const what = '`profile get` over loopback, whole process'
  return [row({ bar: 5, what, ours: medians.call, reference: medians.floor, limit: 2.8 })]
}
