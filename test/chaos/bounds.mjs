import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

/**
 * What bounds an attack: `--count` of its rounds, `--seconds` that it may take, and the `--seed` of all that is random
 * in it, which its figures name; `extra` are options of its own.
 */
export function boundsOf(args, { count, seconds, ...extra }) {
  const bounds = optionsOf(args, { count, seconds, seed: randomInt(2 ** 31), ...extra })
  return { ...bounds, random: randomOf(bounds.seed), isOver: deadline(bounds.seconds) }
}

/** The options of an attack by their defaults; a default that is a number makes an option one. */
export function optionsOf(args, defaults) {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: String(value) }]),
  )
  const { values } = parseArgs({ args, options })
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, typeof defaults[name] === 'number' ? Number(text) : text]),
  )
}

/** Whether so many seconds are over since it was first asked, which is when everything is prepared. */
export function deadline(seconds) {
  let end
  return () => {
    end ??= performance.now() + seconds * 1000
    return performance.now() > end
  }
}

/** A function that gives numbers from 0 up to 1, the same ones for the same seed. */
function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The result of an attack: `faults` are sentences, the first of which is shown with what repeats it. */
export function resultOf(figures, faults, seed) {
  if (faults.length === 0) return { held: true, figures: `${figures}; seed ${seed}` }
  return {
    held: false,
    figures: `${figures}; ${faults.length} faults, first: ${faults[0]}; repeat with --seed ${seed}`,
  }
}
