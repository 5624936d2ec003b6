import { alternate } from './measure.mjs'
import { row } from './results.mjs'
import { floor, machine } from './vatom.mjs'

const commands = [
  { bar: 1, args: ['--version'], limit: 1.1 },
  { bar: 2, args: ['--help'], limit: 1.5 },
  { bar: 2, args: ['template', '--help'], limit: 1.6 },
]

/** Bars 1 and 2: what a command costs before it does anything. */
export async function measure() {
  const { time } = machine()
  const sides = Object.fromEntries(commands.map(({ args }) => [args.join(' '), () => time(args)]))
  const medians = await alternate({ floor, ...sides }, { rounds: 40 })
  return commands.map(({ bar, args, limit }) =>
    row({ bar, what: `\`vatom ${args.join(' ')}\``, ours: medians[args.join(' ')], reference: medians.floor, limit }),
  )
}
