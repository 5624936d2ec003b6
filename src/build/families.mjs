import { readdirSync } from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import { build } from 'esbuild'

/** Makes every dynamic import a `require` of the module's own path. */
const exposeImports = {
  name: 'expose-imports',
  setup(bundle) {
    bundle.onResolve({ filter: /^\./ }, ({ kind, path: specifier, resolveDir }) =>
      kind === 'dynamic-import' ? { path: path.resolve(resolveDir, specifier), external: true } : undefined,
    )
  },
}

/** What the command line's tables state, without any of the modules they load. */
async function evaluateTables(root, require) {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from './families/families.ts'; export * from './words.ts'",
      resolveDir: path.join(root, 'src/cli'),
    },
    absWorkingDir: root,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    supported: { 'dynamic-import': false },
    plugins: [exposeImports],
    logLevel: 'warning',
  })
  const module = { exports: {} }
  const evaluate = vm.compileFunction(outputFiles[0].text, ['exports', 'require', 'module'])
  evaluate(module.exports, require, module)
  return module.exports
}

/** The verbs of a noun: each is the name of a file in the noun's folder of commands. */
function verbsOf(root, noun) {
  try {
    const names = readdirSync(path.join(root, 'src/cli/commands', noun)).map((name) => path.parse(name).name)
    return names.filter((name) => name !== 'index')
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}

/**
 * The command families, each with the words that lead to it and the file its commands are in, and the options that are
 * followed by a value.
 */
export async function readFamilies(root) {
  const required = []
  const tables = await evaluateTables(root, (file) => required.push(file) && {})
  const families = []
  for (const [name, load] of Object.entries(tables.families)) {
    await load()
    const file = required.pop()
    const words = Object.keys(tables.words).filter((word) => tables.words[word].family === name)
    families.push({ name, words, verbs: words.flatMap((word) => verbsOf(root, word)), file })
  }
  return { families, valueOptions: tables.valueOptions }
}
