import { identityOf } from '../../contract/kinds/face-identity.ts'
import { loadInOrder } from '../../documents/load/load.ts'
import type { Loaded, LoadedDocument, Problem } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import type { Format } from '../kinds/format.ts'
import { invalidFailure, refuseInvalid, rowsOf, sourceOf } from '../kinds/load-checked.ts'
import { problemLines } from '../kinds/problems.ts'
import { resultsJson } from '../kinds/results.ts'
import { knownPublisher, signedInPublisher } from '../service/publisher.ts'
import type { Report } from './junit-file.ts'

/** How invalid documents are reported. */
export interface ReportOptions {
  readonly format: Format
  /** Gets their rows before anything is printed. */
  readonly report?: Report
}

interface LoadOptions extends ReportOptions {
  readonly publisher: string | undefined
  /** What invalid documents mean for the command. */
  readonly consequence: string
  /** A further check of what was loaded. */
  readonly check?: (loaded: Loaded) => Loaded
}

/** The documents of files and folders, in the order in which they are created; else reports what is wrong, and throws Reported. */
export async function loadValid(
  inputs: readonly string[],
  { publisher, format, report, consequence, check = (loaded) => loaded }: LoadOptions,
  context: Context,
): Promise<Loaded> {
  const loaded = check(await loadInOrder(inputs, { ...sourceOf(context), publisher }))
  const failure = await invalidFailure(loaded, `; ${consequence}`)
  if (failure === undefined) return loaded
  const rows = rowsOf(loaded, 'template')
  await report?.(rows)
  return refuseInvalid(resultsJson(rows), { loaded, format, failure }, context.output)
}

/** Valid documents, and the domain name of their publisher. */
export interface CatalogFiles {
  readonly documents: readonly LoadedDocument[]
  readonly publisher: string
}

/** The documents that plan and apply compare with the service. Without a known publisher they are loaded again for the signed-in one. */
export async function loadForService(
  inputs: readonly string[],
  options: ReportOptions,
  context: Context,
): Promise<CatalogFiles> {
  const load = (publisher: string | undefined) =>
    loadValid(inputs, { ...options, publisher, consequence: 'nothing was sent', check: withFaceTwice }, context)
  const known = await knownPublisher(context)
  const loaded = await load(known)
  const publisher = known ?? (await signedInPublisher(await context.connect()))
  const { documents, ...found } = known === undefined ? await load(publisher) : loaded
  context.output.complain(await problemLines(found, context.output))
  return { documents, publisher }
}

/** Two faces for the same viewers would be one record: the second is an error here. Spec 4.5. */
function withFaceTwice(loaded: Loaded): Loaded {
  const firsts = new Map<string, LoadedDocument>()
  const problems = new Map<LoadedDocument, Problem>()
  for (const face of loaded.documents.filter(({ kind, valid }) => kind === 'face' && valid)) {
    const viewers = JSON.stringify([face.value.template, ...identityOf(face.value)])
    const first = firsts.get(viewers)
    if (first === undefined) firsts.set(viewers, face)
    else problems.set(face, faceTwice(face, first))
  }
  if (problems.size === 0) return loaded
  const added = [...problems.values()]
  const others = loaded.problems.filter((one) => !added.some((other) => isSamePlace(one, other)))
  return {
    ...loaded,
    documents: loaded.documents.map((document) => withProblem(document, problems.get(document))),
    problems: [...others, ...added],
  }
}

/** A document with an error, which replaces the warning of the same rule at its place. */
function withProblem(document: LoadedDocument, problem: Problem | undefined): LoadedDocument {
  if (problem === undefined) return document
  const others = document.problems.filter((one) => !isSamePlace(one, problem))
  return { ...document, valid: false, problems: [...others, problem] }
}

const isSamePlace = (one: Problem, other: Problem) =>
  one.rule === other.rule && one.file === other.file && one.line === other.line

function faceTwice(face: LoadedDocument, first: LoadedDocument): Problem {
  const place = first.locate(['constraints'])
  const where = place ? `${first.file}:${place.line}:${place.column}` : first.file
  return {
    file: face.file,
    ...face.locate(['constraints']),
    rule: 'face-twice',
    severity: 'error',
    path: 'constraints',
    message: `a second face of ${face.value.template} for the same viewers; the first is at ${where}`,
    hint: 'view mode, platform and quality tell faces apart: change one of them, or delete this face',
    spec: '4.5',
  }
}
