import { posix } from 'node:path'
import { printableJson } from '../../contract/printable.ts'
import type { Severity } from '../../contract/schema/issues.ts'
import type { Problem } from '../load/loaded.ts'
import { fingerprints } from './fingerprints.ts'
import { fromRoot } from './from-root.ts'
import type { RenderOptions } from './render.ts'

const severities: Readonly<Record<Severity, string>> = { error: 'critical', warning: 'minor' }

/** Problems as a code quality report of GitLab. Each has a line, because GitLab shows none without. */
export function renderGitlab(problems: readonly Problem[], options: RenderOptions): string {
  const fingerprint = fingerprints()
  const issues = problems.map((problem) => {
    const path = posix.normalize(fromRoot(options, problem.file.replaceAll('\\', '/')))
    return {
      description: [problem.message, problem.hint].filter(Boolean).join('; '),
      check_name: problem.rule,
      fingerprint: fingerprint({ ...problem, file: path }),
      severity: severities[problem.severity],
      location: { path, lines: { begin: problem.line ?? 1, end: problem.endLine ?? problem.line ?? 1 } },
    }
  })
  return `${printableJson(JSON.stringify(issues, null, 2))}\n`
}
