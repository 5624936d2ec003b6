/** Each attack by name, in a file of its own: `run(options)` resolves with one line of figures and whether it held. */
const attacks = {
  stalls: () => import('./stalls.mjs'),
  readers: () => import('./readers.mjs'),
  kill: () => import('./kill.mjs'),
  races: () => import('./races.mjs'),
  clock: () => import('./clock.mjs'),
}

/** Runs the named attacks, or all: `npm run chaos -- stalls --count 10000`. Ends with 1 if the service did not hold. */
const words = process.argv.slice(2)
const first = words.findIndex((word) => word.startsWith('--'))
const names = first < 0 ? words : words.slice(0, first)
const unknown = names.find((name) => !Object.hasOwn(attacks, name))
if (unknown !== undefined) {
  console.error(`no attack is named ${unknown}; there are: ${Object.keys(attacks).join(', ')}`)
  process.exit(2)
}
const args = first < 0 ? [] : words.slice(first)
for (const name of names.length > 0 ? names : Object.keys(attacks)) {
  const { run } = await attacks[name]()
  const { held, figures } = await run(args)
  console.log(`${name}: ${held ? 'held' : 'FAILED'}: ${figures}`)
  if (!held) process.exitCode = 1
}
process.exit()
