/** Where packs begin: what only one of these modules leads to is read with it. */
const roots = {
  'src/cli/entry.ts': 'cli',
  'src/server/service.ts': 'server',
  'src/server/http/listen.ts': 'http',
}

/** Large parts of the command line that much of it does without, by what is in them. */
const parts = [
  ['documents', /^(src\/documents|node_modules\/yaml)\//],
  ['network', /^node_modules\/undici\//],
  ['manual', /^(src\/docs|\.github)\//],
]

/** Bytes from which on a package that is imported on demand is no part of the pack of its importer. */
const large = 20_000

/** The name of the pack that a chunk begins, if it does. */
const rootOf = ({ entryPoint = '', bytes }) =>
  roots[entryPoint] ?? (entryPoint.startsWith('node_modules/') && bytes > large ? 'packages' : undefined)

/** For each chunk the packs whose roots lead to it without passing another root. */
function reachedFrom(chunks) {
  const byName = new Map(chunks.map((chunk) => [chunk.name, chunk]))
  const reached = new Map(chunks.map((chunk) => [chunk, new Set()]))
  const visit = (chunk, pack) => {
    if (reached.get(chunk).has(pack)) return
    reached.get(chunk).add(pack)
    for (const { path } of chunk.imports) {
      const next = byName.get(path)
      if (next && rootOf(next) === undefined) visit(next, pack)
    }
  }
  for (const chunk of chunks) if (rootOf(chunk)) visit(chunk, rootOf(chunk))
  return reached
}

/** The part of the command line that a chunk belongs to. */
function partOf({ inputs }) {
  const found = parts.find(([, pattern]) => Object.keys(inputs).some((name) => pattern.test(name)))
  return found?.[0] ?? 'cli'
}

/** The pack that a chunk is in: what both the command line and the service need is `shared`. */
function packOf(chunk, from) {
  if (from.has('cli')) return from.has('server') ? 'shared' : partOf(chunk)
  if (from.has('server')) return 'server'
  return from.size === 1 ? [...from][0] : 'packages'
}

/** Chunks by pack, in an order that is the same in every build. */
export function sortIntoPacks(chunks) {
  const packs = {}
  const sorted = [...reachedFrom(chunks)].sort(([a], [b]) => (a.name < b.name ? -1 : 1))
  for (const [chunk, from] of sorted) {
    const pack = packOf(chunk, from)
    packs[pack] = [...(packs[pack] ?? []), chunk]
  }
  return packs
}
