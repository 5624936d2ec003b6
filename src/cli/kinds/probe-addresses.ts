import { limits } from '../../contract/limits.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import type { KindName } from '../../contract/values.ts'
import type { ProbeResult, Target } from '../../documents/address-problems.ts'
import type { ValidatedRow, Validation } from '../../documents/cache/cached-validation.ts'
import type { Problem } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { waitFor } from '../io/progress.ts'
import { inParallel } from '../service/in-parallel.ts'
import { knownPublisher } from '../service/publisher.ts'
import { sourceOf } from './load-checked.ts'

/** Adds warnings about the addresses in documents of a kind, or of all, to their validation. */
export async function probed(
  validation: Validation,
  noun: KindName | undefined,
  files: readonly string[],
  context: Context,
): Promise<Validation> {
  const { loadDocuments } = await import('../../documents/load/load.ts')
  const { withoutIgnoredProbes, probeProblem, targetsIn } = await import('../../documents/address-problems.ts')
  const loaded = await loadDocuments(files, { ...sourceOf(context), noun, publisher: await knownPublisher(context) })
  const targets = targetsIn(loaded.documents)
  const answers = await waitFor(ask(targets, context), 'addresses of resources and faces', context.output, context.host)
  const owners = new Map<Problem, string>()
  for (const target of targets) {
    const answer = answers.get(target.url)
    const problem = answer === undefined ? undefined : probeProblem(target, answer)
    if (problem) owners.set(problem, target.document.name)
  }
  const sources = loaded.files.map(({ source }) => source)
  const problems = withoutIgnoredProbes([...owners.keys()], sources)
  const isOf = (problem: Problem, { file, name }: ValidatedRow) => problem.file === file && owners.get(problem) === name
  return withProblems(validation, { problems, isOf, sources: new Map(sources.map(({ file, shown }) => [file, shown])) })
}

/** Requests each address, up to the limits; a note says how many were left out. */
async function ask(targets: readonly Target[], { host, globals, output }: Context): Promise<Map<string, ProbeResult>> {
  const { openProber } = await import('../../client/probe-address.ts')
  const urls = [...new Set(targets.map(({ url }) => url))]
  const answers = new Map<string, ProbeResult>()
  const timeout = Math.min(limits.probeTime, globals.timeout * 1000)
  const end = AbortSignal.timeout(limits.probesTime)
  const { probe, close } = openProber({ timeout, signal: host.signal, env: host.env })
  const probeOne = async (url: string) => {
    if (end.aborted) return
    const answer: ProbeResult = await probe(url).catch((error: unknown) => {
      if (host.signal.aborted) throw error
      return messageOf(error)
    })
    answers.set(url, answer)
  }
  try {
    await inParallel(urls.slice(0, limits.probes), probeOne)
  } finally {
    await close()
  }
  const rest = urls.length - answers.size
  output.note(
    `probed ${answers.size} ${answers.size === 1 ? 'address' : 'addresses'}${rest > 0 ? `; ${rest} more were left out` : ''}`,
  )
  return answers
}

interface Probes {
  readonly problems: readonly Problem[]
  readonly isOf: (problem: Problem, row: ValidatedRow) => boolean
  readonly sources: ReadonlyMap<string, string>
}

function withProblems(validation: Validation, { problems, isOf, sources }: Probes): Validation {
  const taken = new Set<Problem>()
  const rows = validation.rows.map((row) => {
    const own = problems.filter((problem) => isOf(problem, row) && !taken.has(problem))
    for (const problem of own) taken.add(problem)
    return own.length === 0 ? row : { ...row, problems: [...row.problems, ...own] }
  })
  const all = [...validation.problems, ...problems]
  const named = new Set(all.map(({ file }) => file))
  const shown = [...sources].filter(([file]) => named.has(file))
  return { ...validation, rows, problems: all, sources: new Map([...validation.sources, ...shown]) }
}
