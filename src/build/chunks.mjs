import { transform } from 'esbuild'

/**
 * What each pack begins with. `require` takes a package, a module of Node's or a chunk's number, and `__load` is
 * `import()` for chunks. A module that is not ours is its own default export.
 */
const head = `(function(require){
const __toESM=module=>module.__esModule?module:{__proto__:module,default:module};
const __load=id=>Promise.resolve().then(()=>require(id));
return{`
const tail = '}})'

/** What esbuild puts before a module's own code. */
const preamble = /^.*?var stdin_exports=\{\};(?:\w+\(stdin_exports,\{(.*?)\}\);)?module\.exports=\w+\(stdin_exports\);/s

/** The exports of a chunk as an object of getters, for some are assigned later. */
const gettersOf = (exported) => exported.replaceAll(/([\w$]+):\(\)=>([\w$.]+)/g, 'get $1(){return $2}')

/** A chunk as a function that evaluates it: it takes `module`. */
async function evaluator({ name, text, imports }, numbers) {
  let source = text
  for (const { path, kind } of imports)
    if (kind === 'dynamic-import' && numbers.has(path))
      source = source.replaceAll(`import("./${path}")`, `__load(${numbers.get(path)})`)
  const { code } = await transform(source, {
    format: 'cjs',
    platform: 'neutral',
    target: 'node20',
    charset: 'ascii',
    minifyWhitespace: true,
    minifySyntax: true,
    supported: { 'dynamic-import': false },
  })
  let body = preamble.test(code)
    ? code.replace(preamble, (_, exported = '') => `module.exports={${gettersOf(exported)}};`)
    : code
  for (const { path } of imports)
    if (numbers.has(path)) body = body.replaceAll(`require("./${path}")`, `require(${numbers.get(path)})`)
  if (/\bimport\(|\bimport_meta\b|\bstdin_exports\b|\b__toESM\d/.test(body))
    throw new Error(`${name} holds what no pack can`)
  const [foreign] = notAscii.exec(body) ?? []
  if (foreign !== undefined) throw new Error(`${name}: packs are read as Latin-1: escape as \\u…: ${foreign}`)
  return `function(module){${body}}`
}

/** A character that esbuild leaves as it is, in a regular expression, with what is around it. */
const notAscii = /.{0,40}[^\0-\x7f].{0,40}/

/** Each chunk, at its number, as a function that evaluates it. */
export function writeEvaluators(chunks) {
  const numbers = new Map(chunks.map(({ name }, number) => [name, number]))
  return Promise.all(chunks.map((chunk) => evaluator(chunk, numbers)))
}

/** The text of a pack of some chunks, given by their numbers. */
export const packText = (evaluators, numbers) =>
  `${head}${numbers.map((number) => `${number}:${evaluators[number]}`).join(',\n')}${tail}`
