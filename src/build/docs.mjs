import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The tables that the code states; see src/docs/tables.ts. */
async function loadTables() {
  const { outputFiles } = await build({
    entryPoints: ['src/docs/tables.ts'],
    absWorkingDir: root,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    loader: { '.md': 'text' },
  })
  const module = { exports: {} }
  const evaluate = vm.compileFunction(outputFiles[0].text, ['exports', 'require', 'module'])
  evaluate(module.exports, createRequire(import.meta.url), module)
  return module.exports.tables
}

/** Puts each table between `<!-- table NAME -->` and `<!-- end NAME -->`. */
const withTables = (text, tables) =>
  text.replaceAll(
    /(<!-- table (\S+) -->\n).*?(<!-- end \2 -->)/gs,
    (_, start, name, end) => `${start}\n${tables[name](root)}\n${end}`,
  )

const pages = readdirSync(path.join(root, 'src/docs')).filter((name) => name.endsWith('.md'))
const tables = await loadTables()
for (const name of ['README.md', '.github/CONTRIBUTING.md', ...pages.map((page) => `src/docs/${page}`)]) {
  const file = path.join(root, name)
  const text = readFileSync(file, 'utf8')
  const updated = withTables(text, tables)
  if (updated !== text) writeFileSync(file, updated)
}
