import { transform } from 'esbuild'

/**
 * What each pack begins with. `require` takes a package, a module of Node's or a chunk's `pack/index`, and `__load` is
 * `import()` for chunks. A module that is not ours is its own default export.
 */
const head = `(function(require){
const __toESM=module=>module.__esModule?module:{__proto__:module,default:module};
const __load=id=>Promise.resolve().then(()=>require(id));
return[`
const tail = ']})'

/** What esbuild puts before a module's own code. */
const preamble = /^.*?var stdin_exports=\{\};(?:\w+\(stdin_exports,\{(.*?)\}\);)?module\.exports=\w+\(stdin_exports\);/s

/** The exports of a chunk as an object of getters, for some are assigned later. */
const gettersOf = (exported) => exported.replaceAll(/([\w$]+):\(\)=>([\w$.]+)/g, 'get $1(){return $2}')

/** A chunk as a function that evaluates it: it takes `module`. */
async function evaluator({ name, text, imports }, ids) {
  let source = text
  for (const { path, kind } of imports)
    if (ids.has(path))
      source = source.replaceAll(
        kind === 'dynamic-import' ? `import("./${path}")` : `"./${path}"`,
        kind === 'dynamic-import' ? `__load("${ids.get(path)}")` : `"${ids.get(path)}"`,
      )
  const { code } = await transform(source, {
    format: 'cjs',
    platform: 'neutral',
    target: 'node20',
    charset: 'ascii',
    minifyWhitespace: true,
    minifySyntax: true,
    supported: { 'dynamic-import': false },
  })
  const body = preamble.test(code)
    ? code.replace(preamble, (_, exported = '') => `module.exports={${gettersOf(exported)}};`)
    : code
  if (/\bimport\(|\bstdin_exports\b|\b__toESM\d/.test(body)) throw new Error(`${name} holds what no pack can`)
  return `function(module){${body}}`
}

/** The texts of the packs by name, and the id of the chunk that an entry point is in. */
export async function writePacks(packs, entryPoint) {
  const ids = new Map()
  for (const [pack, chunks] of Object.entries(packs))
    chunks.forEach(({ name }, index) => {
      ids.set(name, `${pack}/${index}`)
    })
  const texts = Object.entries(packs).map(async ([pack, chunks]) => {
    const functions = await Promise.all(chunks.map((chunk) => evaluator(chunk, ids)))
    return [pack, `${head}${functions.join(',\n')}${tail}`]
  })
  const entry = Object.values(packs)
    .flat()
    .find((chunk) => chunk.entryPoint === entryPoint)
  return { packs: Object.fromEntries(await Promise.all(texts)), entry: ids.get(entry.name) }
}
