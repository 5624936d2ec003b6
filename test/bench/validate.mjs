import { rmSync } from 'node:fs'
import path from 'node:path'
import { alternate } from './measure.mjs'
import { row } from './results.mjs'
import { floor, machine, root } from './vatom.mjs'

const file = path.join(root, 'templates-examples/coffee-coupon.yaml')

/** Bar 3: checking one file, with what an earlier run left in the cache folder and without. */
export async function measure() {
  const { time, home } = machine()
  const validate = () => time(['template', 'validate', file])
  const first = () => {
    rmSync(path.join(home, '.cache'), { recursive: true, force: true })
    return validate()
  }
  const later = async () => {
    validate()
    return validate()
  }
  const medians = await alternate({ floor, first, later }, { rounds: 30 })
  const what = '`template validate`, one file'
  return [
    row({ bar: 3, what: `${what}, later runs`, ours: medians.later, reference: medians.floor, limit: 1.8 }),
    row({ bar: 3, what: `${what}, first run`, ours: medians.first, reference: medians.floor, limit: 4 }),
  ]
}
