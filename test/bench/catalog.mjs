import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { alternate } from './measure.mjs'
import { row } from './results.mjs'
import { loginWords, machine, startService } from './vatom.mjs'

const sizes = [100, 1000, 3000]

/** Five documents: a template, two of its variations, a face and an action. */
function documents(number) {
  const name = `$publisher::Bench${number}::v1`
  const constraints =
    '{ bluetooth_le: false, contact_list: false, gps: false, three_d: false, view_mode: icon, platform: generic, quality: high }'
  const variation = (own) =>
    `template_variation: ${name}::${own}\ntemplate: ${name}\nvatom:\n  vAtom::vAtomType: { title: ${own} }\n  private: { color: ${own} }\n`
  return [
    `template: ${name}
unpublished: true
vatom:
  vAtom::vAtomType:
    root_type: vAtom::vAtomType
    title: Coupon ${number}
    resources:
      - name: CardImage
        resourceType: ResourceType::Image::PNG
        value: { resourceValueType: ResourceValueType::URI, value: https://example.com/card.png }
  private: { color: blue }
`,
    variation('Red'),
    variation('Green'),
    `template: ${name}\ndisplay_url: native://image\npackage_url: native://image\nconstraints: ${constraints}\nresources: [CardImage]\n`,
    `name: ${name}::Action::Transfer\nreactor: blockv://v1/Transfer\n`,
  ]
}

/** A catalog on a service with a database file that has none of it: planned, applied, and applied again. */
function sidesOf(count) {
  const { time, env, home } = machine()
  mkdirSync(path.join(home, 'catalog'))
  for (let number = 0; number < count / 5; number++)
    writeFileSync(path.join(home, 'catalog', `${number}.yaml`), documents(number).join('---\n'))
  let run
  const start = async () => {
    await run?.stop()
    const file = path.join(home, `${Math.random()}.db`)
    run = await startService(['--db', file], env)
    time(loginWords(run.ready), { input: run.ready.publisher.password })
  }
  const sides = {
    plan: async () => {
      await start()
      return time(['plan', 'catalog'])
    },
    apply: () => time(['apply', 'catalog', '--yes']),
    again: () => time(['apply', 'catalog', '--yes']),
  }
  return { sides, stop: () => run?.stop() }
}

/** Bar 14: what a plan, and an apply that changes nothing, cost beside an apply that creates all. */
export async function measure() {
  const rows = []
  for (const count of sizes) {
    const { sides, stop } = sidesOf(count)
    const medians = await alternate(sides, { rounds: 3, warmup: 0 })
    await stop()
    const timed = (what, name, limit) =>
      row({ bar: 14, what, ours: medians[name], reference: medians.apply, limit, digits: 0 })
    rows.push(
      timed(`\`plan\`, ${count} new documents`, 'plan', 1),
      timed(`\`apply\`, ${count} unchanged documents`, 'again', 0.5),
    )
  }
  return rows
}
