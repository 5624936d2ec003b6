/** Each attack by name, in a file of its own: `run(options)` resolves with one line of figures and whether it held. */
const attacks = {
  stalls: () => import('./stalls.mjs'),
  readers: () => import('./readers.mjs'),
  bursts: () => import('./bursts.mjs'),
  crowds: () => import('./crowds.mjs'),
  insistent: () => import('./insistent.mjs'),
  'dry-runs': () => import('./dry-runs.mjs'),
  kill: () => import('./kill.mjs'),
  races: () => import('./races.mjs'),
  disk: () => import('./disk.mjs'),
  clock: () => import('./clock.mjs'),
  fuzz: () => import('./fuzz.mjs'),
  soak: () => import('./soak.mjs'),
  leavers: () => import('./leavers.mjs'),
  trickles: () => import('./trickles.mjs'),
  resets: () => import('./resets.mjs'),
  proxied: () => import('./proxied.mjs'),
  'large-records': () => import('./large-records.mjs'),
}

/** The short form: what each is bounded to, so that all take less than two minutes. */
const short = {
  kill: ['--count', '5', '--each', '1', '--seconds', '60'],
  races: ['--count', '3', '--seconds', '30'],
  disk: ['--count', '80', '--seconds', '30'],
  clock: ['--count', '5', '--seconds', '20'],
  fuzz: ['--count', '500', '--seconds', '30'],
  soak: ['--seconds', '5'],
  leavers: ['--count', '200', '--seconds', '20'],
}

/** Runs the named attacks, or all: `npm run chaos -- stalls --count 10000`; or `short`. Ends with 1 if one did not hold. */
const words = process.argv.slice(2)
const first = words.findIndex((word) => word.startsWith('--'))
const names = first < 0 ? words : words.slice(0, first)
const args = first < 0 ? [] : words.slice(first)
const chosen = names.length > 0 ? names : Object.keys(attacks)
const plan =
  names[0] === 'short'
    ? Object.entries(short).map(([name, bounds]) => [name, [...bounds, ...args]])
    : chosen.map((name) => [name, args])
const [unknown] = plan.find(([name]) => !Object.hasOwn(attacks, name)) ?? []
if (unknown !== undefined) {
  console.error(`no attack is named ${unknown}; there are: ${Object.keys(attacks).join(', ')}, short`)
  process.exit(2)
}
for (const [name, options] of plan) {
  const { run } = await attacks[name]()
  const { held, figures } = await run(options)
  console.log(`${name}: ${held ? 'held' : 'FAILED'}: ${figures}`)
  if (!held) process.exitCode = 1
}
process.exit()
