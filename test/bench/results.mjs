import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { bars } from './bars.mjs'

const file = new URL('RESULTS.md', import.meta.url)

const head = `# Measured

Each benchmark runs both sides in turn, round after round, without \`NODE_EXTRA_CA_CERTS\`, and takes medians; a floor of
1.00x is \`node -e 0\`. Repeat one with \`npm run bench -- NAME\`.
`

/** The sections that are there already, by the benchmark that wrote them. */
function sections() {
  try {
    const parts = readFileSync(file, 'utf8').split(/^## /m).slice(1)
    return Object.fromEntries(parts.map((part) => [part.slice(0, part.indexOf('\n')), `## ${part.trimEnd()}\n`]))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

const verdict = ({ holds, short }) => (holds ? 'yes' : `no, ${short}`)

function section(name, rows) {
  const lines = rows.map((row) =>
    [row.bar, row.what, row.ours, row.reference, row.ratio, row.limit, verdict(row)].join(' | '),
  )
  const notes = new Set(rows.filter(({ note }) => note).map(({ bar, note }) => `\nBar ${bar}: ${note}\n`))
  return `## ${name}

Node ${process.version}, ${availableParallelism()} cores.

| bar | measured | ours | reference | ratio | limit | holds |
|---|---|---|---|---|---|---|
${lines.map((line) => `| ${line} |`).join('\n')}
${[...notes].join('')}`
}

/** Puts a benchmark's rows into RESULTS.md in place of its earlier ones. */
export function record(name, rows) {
  const all = { ...sections(), [name]: section(name, rows) }
  const ordered = Object.keys(bars).filter((key) => all[key])
  writeFileSync(file, [head, ...ordered.map((key) => all[key])].join('\n'))
}

const percent = (share) => `${Math.round(share * 100)} %`

/**
 * A row of the table: ours over the reference, against a limit it must not pass; `least` where more is better.
 * `unit` prints the two figures.
 */
export function row({ bar, what, ours, reference, limit, least = false, unit = 'ms', digits = 1, note }) {
  const ratio = ours / reference
  const holds = least ? ratio >= limit : ratio <= limit
  return {
    bar,
    what,
    ours: `${ours.toFixed(digits)} ${unit}`,
    reference: `${reference.toFixed(digits)} ${unit}`,
    ratio: ratio < 0.01 ? ratio.toFixed(5) : ratio.toFixed(2),
    limit: `${least ? '>=' : '<='} ${limit < 0.01 ? limit.toFixed(5) : limit}`,
    holds,
    short: percent(Math.abs(ratio / limit - 1)),
    note: holds ? undefined : note,
  }
}
