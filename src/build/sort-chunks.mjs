/** What it costs to open one more pack, in bytes that could be read in the same time. */
const opening = 10_000

const without = (all, some) => all.filter((one) => !some.includes(one))

/** What a merge of two packs saves their commands: a pack to open for those of both; the others read more. */
function saving(a, b) {
  const ofOne = without(a.commands, b.commands).length * b.bytes + without(b.commands, a.commands).length * a.bytes
  const ofBoth = a.commands.length - without(a.commands, b.commands).length
  return ofBoth * opening - ofOne
}

const merge = (a, b) => ({
  commands: [...a.commands, ...without(b.commands, a.commands)],
  bytes: a.bytes + b.bytes,
  numbers: [...a.numbers, ...b.numbers],
})

/** Merges packs as long as that saves something, the best pair first. */
function mergeAll(packs) {
  const pairs = packs.flatMap((a, at) => packs.slice(at + 1).map((b) => ({ a, b, saved: saving(a, b) })))
  const best = pairs.reduce((most, pair) => (pair.saved > most.saved ? pair : most), { saved: 0 })
  if (best.saved === 0) return packs
  return mergeAll([...packs.filter((pack) => pack !== best.a && pack !== best.b), merge(best.a, best.b)])
}

/** Where a chunk's first module is from: a room of ours, or a package. */
const originOf = ({ inputs }) => Object.keys(inputs)[0]?.match(/^(.*node_modules\/(@[^/]+\/)?|\w+\/)[^/]+/)?.[0] ?? ''

/**
 * The numbers of chunks by pack, given those that each of some usual commands evaluates. Chunks that the same commands
 * evaluate are one pack, so that each reads little that it does not need; the others are by room and by package.
 */
export function sortIntoPacks(chunks, uses) {
  const packs = new Map()
  for (const [number, chunk] of chunks.entries()) {
    const commands = [...uses.keys()].filter((command) => uses[command].has(number))
    const key = commands.length > 0 ? commands.join() : originOf(chunk)
    const pack = { commands, bytes: chunk.bytes, numbers: [number] }
    packs.set(key, packs.has(key) ? merge(packs.get(key), pack) : pack)
  }
  return mergeAll([...packs.values()]).map(({ numbers }) => numbers)
}
