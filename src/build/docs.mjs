import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { evaluateSource } from './evaluate.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Puts each table between `<!-- table NAME -->` and `<!-- end NAME -->`. */
const withTables = (text, tables) =>
  text.replaceAll(
    /(<!-- table (\S+) -->\n).*?(<!-- end \2 -->)/gs,
    (_, start, name, end) => `${start}\n${tables[name](root)}\n${end}`,
  )

const pages = readdirSync(path.join(root, 'src/docs')).filter((name) => name.endsWith('.md'))
// The tables that the code states.
const { tables } = await evaluateSource(root, 'src/docs/tables.ts')
for (const name of ['README.md', '.github/CONTRIBUTING.md', ...pages.map((page) => `src/docs/${page}`)]) {
  const file = path.join(root, name)
  const text = readFileSync(file, 'utf8')
  const updated = withTables(text, tables)
  if (updated !== text) writeFileSync(file, updated)
}
