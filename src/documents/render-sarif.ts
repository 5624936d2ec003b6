import { rules } from '../contract/rules.ts'
import { printable } from './printable.ts'
import type { Problem } from './types.ts'

/** Problems as a SARIF 2.1.0 log. */
export function renderSarif(problems: readonly Problem[]): string {
  const ids = [...new Set(problems.map(({ rule }) => rule))].sort()
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'vatom', rules: ids.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        results: problems.map((problem) => resultOf(problem, ids.indexOf(problem.rule))),
      },
    ],
  }
  return `${printable(JSON.stringify(log, null, 2))}\n`
}

const summaries = new Map(rules.map(({ name, summary }) => [name, summary]))
function ruleOf(id: string) {
  const text = summaries.get(id)
  return { id, ...(text && { shortDescription: { text } }) }
}

const resultOf = (problem: Problem, ruleIndex: number) => ({
  ruleId: problem.rule,
  ruleIndex,
  level: problem.severity,
  message: { text: [problem.message, problem.hint].filter(Boolean).join('\n') },
  locations: [
    {
      physicalLocation: { artifactLocation: { uri: uriOf(problem.file) }, ...regionOf(problem) },
      ...(problem.path && { logicalLocations: [{ fullyQualifiedName: problem.path }] }),
    },
  ],
})

function regionOf({ line, column, endLine, endColumn }: Problem) {
  if (line === undefined) return undefined
  return { region: { startLine: line, startColumn: column, endLine, endColumn } }
}

/** A file name as a URI reference, relative as it was given; an absolute one as a `file:` URI. */
function uriOf(file: string): string {
  const portable = file.replaceAll('\\', '/').replaceAll(/\p{Cs}/gu, '\uFFFD')
  const encoded = portable.split('/').map(encodeURIComponent).join('/')
  if (portable.startsWith('/')) return `file://${encoded}`
  return /^[a-z]:\//i.test(portable) ? `file:///${encoded}` : encoded
}
