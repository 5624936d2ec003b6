import { bars } from './bars.mjs'
import { record } from './results.mjs'

/** Runs the named benchmarks, or all: `npm run bench -- start serve`. */
const names = process.argv.slice(2)
const known = Object.keys(bars)
const unknown = names.find((name) => !known.includes(name))
if (unknown !== undefined) {
  console.error(`no benchmark is named ${unknown}; there are: ${known.join(', ')}`)
  process.exit(2)
}
for (const name of names.length > 0 ? names : known) {
  console.error(`${name} …`)
  const { measure } = await bars[name]()
  const rows = await measure()
  record(name, rows)
  console.table(rows.map(({ bar, what, ratio, limit }) => ({ bar, what, ratio, limit })))
}
