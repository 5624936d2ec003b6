import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { alternate } from './measure.mjs'
import { row } from './results.mjs'
import { floor, machine, root } from './vatom.mjs'

const example = readFileSync(path.join(root, 'templates-examples/coffee-coupon.yaml'), 'utf8')

/** Bar 6: `template create` on the `local` context, a new template each time. */
export async function measure() {
  const { time, home } = machine()
  let count = 0
  const create = () => {
    const file = path.join(home, 'coupon.yaml')
    writeFileSync(file, example.replaceAll('CoffeeCoupon', `Coupon${count++}`))
    return time(['template', 'create', file])
  }
  const medians = await alternate({ floor, create }, { rounds: 30 })
  const what = '`template create` on the `local` context'
  return [row({ bar: 6, what, ours: medians.create, reference: medians.floor, limit: 4.2 })]
}
