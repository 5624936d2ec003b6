import { printableJson } from '../../contract/printable.ts'
import type { RuleNote } from '../../contract/rules/rule.ts'
import type { Problem } from '../load/loaded.ts'
import { fingerprints } from './fingerprints.ts'
import { type Checkout, fromRoot } from './from-root.ts'
import type { RenderOptions } from './render.ts'
import { ruleNotes, switchedOffBy } from './rule-notes.ts'

/** Exit codes of a completed run: 0 without errors, 3 with invalid documents, 10 of a plan with changes. */
const completed: readonly number[] = [0, 3, 10]

/** Problems as a SARIF 2.1.0 log: one run, with the rules that are broken. */
export function renderSarif(problems: readonly Problem[], options: RenderOptions): string {
  const { version, exitCode = 0 } = options
  const ids = [...new Set(problems.map(({ rule }) => rule))].sort()
  const places = new Map(ids.map((id, index) => [id, index]))
  const fingerprint = fingerprints()
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'vatom', ...(version && { semanticVersion: version }), rules: ids.map(ruleOf) } },
        invocations: [{ executionSuccessful: completed.includes(exitCode), exitCode }],
        columnKind: 'utf16CodeUnits',
        results: problems.map((problem) => ({
          ...resultOf(problem, places.get(problem.rule) ?? -1, options),
          partialFingerprints: { 'vatomProblem/v1': fingerprint(problem) },
        })),
      },
    ],
  }
  return `${printableJson(JSON.stringify(log, null, 2))}\n`
}

const notes = new Map(ruleNotes.map((note) => [note.name, note]))

/** The description of a rule, or of an error of the service or the command; GitHub's code scanning requires all of its texts. */
function ruleOf(id: string) {
  const note = notes.get(id)
  if (note === undefined) return { id, ...described(`the error ${id}`, 'The message says why.') }
  return {
    id,
    ...described(note.summary, helpOf(note)),
    defaultConfiguration: { level: note.severity },
    ...(note.spec && { properties: { spec: note.spec } }),
  }
}

const described = (text: string, help: string) => ({
  shortDescription: { text },
  fullDescription: { text },
  help: { text: help },
})

function helpOf(note: RuleNote): string {
  const comment = switchedOffBy(note)
  return [
    `The rule: ${note.summary}.`,
    ...(note.spec ? [`See section ${note.spec} of the specification.`] : []),
    ...(note.fixes ? [`vatom validate --fix corrects ${note.fixes === true ? 'it' : note.fixes}.`] : []),
    ...(comment ? [`The comment ${comment} switches it off at its line or the next.`] : []),
  ].join('\n')
}

const resultOf = (problem: Problem, ruleIndex: number, checkout: Checkout) => ({
  ruleId: problem.rule,
  ruleIndex,
  level: problem.severity,
  message: { text: [problem.message, problem.hint].filter(Boolean).join('\n') },
  locations: [
    {
      physicalLocation: { artifactLocation: { uri: uriOf(problem.file, checkout) }, ...regionOf(problem) },
      ...(problem.path && { logicalLocations: [{ fullyQualifiedName: problem.path }] }),
    },
  ],
})

function regionOf({ line, column, endLine, endColumn }: Problem) {
  if (line === undefined) return undefined
  return { region: { startLine: line, startColumn: column, endLine, endColumn } }
}

/** A file name as a URI relative to the root of the checkout; an absolute path as a `file:` URI. */
function uriOf(file: string, checkout: Checkout): string {
  const portable = fromRoot(checkout, file.replaceAll('\\', '/').replaceAll(/\p{Cs}/gu, '\uFFFD'))
  const encoded = portable.split('/').map(encodeURIComponent).join('/')
  if (portable.startsWith('/')) return `file://${encoded}`
  return /^[a-z]:\//i.test(portable) ? `file:///${encoded}` : encoded
}
