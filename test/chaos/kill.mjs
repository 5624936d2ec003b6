import { boundsOf, deadline, resultOf } from './bounds.mjs'
import { killCommands } from './kill-commands.mjs'
import { killServe } from './kill-serve.mjs'

/**
 * Kills `serve` `--count` times under writers, and each writing command `--each` times. `--only` names what of both is
 * killed: `serve`, or a command such as `template create`.
 */
export async function run(args) {
  const { only, seed, ...bounds } = boundsOf(args, { count: 500, each: 200, seconds: 7200, only: '' })
  const parts = [
    ...(only === '' || only === 'serve' ? [await killServe(bounds)] : []),
    ...(only === 'serve' ? [] : [await killCommands({ ...bounds, only, isOver: deadline(bounds.seconds) })]),
  ]
  const figures = parts.map((part) => part.figures).join('; ')
  return resultOf(
    figures,
    parts.flatMap(({ faults }) => faults),
    seed,
  )
}
