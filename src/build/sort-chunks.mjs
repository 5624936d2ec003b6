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

/** Entry points of what every command evaluates, and of what it evaluates to be defined. */
const always = /^src\/cli\/(entry|main)\.ts$/
const definitions = /^src\/cli\/commands\//

/** Bytes from which on a chunk is no part of the pack of those that import it. */
const large = 20_000

/** The name of the pack that a chunk begins, if it does. */
const rootOf = ({ entryPoint = '', bytes }) =>
  roots[entryPoint] ?? (entryPoint.startsWith('node_modules/') && bytes > large ? 'packages' : undefined)

/** The chunks that are evaluated with one of some entry points. */
function evaluatedWith(pattern, chunks) {
  const byName = new Map(chunks.map((chunk) => [chunk.name, chunk]))
  const found = new Set(chunks.filter(({ entryPoint }) => pattern.test(entryPoint)))
  for (const { imports } of found)
    for (const { path, kind } of imports)
      if (kind === 'import-statement' && byName.has(path)) found.add(byName.get(path))
  return found
}

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
  if (from.has('http')) return 'http'
  return from.size === 1 ? [...from][0] : 'packages'
}

/** Chunks by pack, in an order that is the same in every build. */
export function sortIntoPacks(chunks) {
  const frame = evaluatedWith(always, chunks)
  const defined = evaluatedWith(definitions, chunks)
  const reached = reachedFrom(chunks)
  const packs = { frame: [] }
  for (const chunk of [...chunks].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const isLight = defined.has(chunk) && chunk.bytes < large
    const pack = frame.has(chunk) ? 'frame' : isLight ? 'cli' : packOf(chunk, reached.get(chunk))
    packs[pack] = [...(packs[pack] ?? []), chunk]
  }
  return packs
}
