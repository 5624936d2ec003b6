import { identityOf } from '../../contract/kinds/face-identity.ts'
import { loadInOrder } from '../../documents/load/load-in-order.ts'
import type { Loaded, LoadedDocument, Problem } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import type { Format } from '../kinds/format.ts'
import { invalidFailure, refuseInvalid, rowsOf, sourceOf } from '../kinds/load-checked.ts'
import { problemLines } from '../kinds/problems.ts'
import { type Row, resultsJson } from '../kinds/results.ts'
import { knownPublisher, signedInPublisher } from '../service/publisher.ts'

/** Documents that were found valid, and whose they are. */
export interface CatalogFiles {
  readonly documents: readonly LoadedDocument[]
  readonly publisher: string
}

/** How documents that are invalid are told. */
export interface Telling {
  readonly format: Format
  /** Told of them before anything else is. */
  readonly report: (rows: readonly Row[]) => Promise<void>
}

/** The documents of files and folders, in the order in which they are created; else says what is wrong, and throws Reported. */
export async function loadForService(
  inputs: readonly string[],
  telling: Telling,
  context: Context,
): Promise<CatalogFiles> {
  const known = await knownPublisher(context)
  const loaded = await loadValid(inputs, known, telling, context)
  const publisher = known ?? (await signedInPublisher(await context.connect()))
  const { documents, ...found } = known === undefined ? await loadValid(inputs, publisher, telling, context) : loaded
  context.output.complain(await problemLines(found, context.output))
  return { documents, publisher }
}

async function loadValid(
  inputs: readonly string[],
  publisher: string | undefined,
  { format, report }: Telling,
  context: Context,
): Promise<Loaded> {
  const found = await loadInOrder(inputs, { ...sourceOf(context), publisher })
  const loaded = withAlikeFaces(found)
  const failure = await invalidFailure(loaded, '; nothing was sent')
  if (failure === undefined) return loaded
  const rows = rowsOf(loaded, 'template')
  await report(rows)
  return refuseInvalid(resultsJson(rows), { loaded, format, failure }, context.output)
}

/** Two faces for the same viewers would be one record, so that one of them is an error here. Spec 4.5. */
function withAlikeFaces(loaded: Loaded): Loaded {
  const firsts = new Map<string, LoadedDocument>()
  const problems = new Map<LoadedDocument, Problem>()
  for (const face of loaded.documents.filter(({ kind, valid }) => kind === 'face' && valid)) {
    const key = viewersOf(face)
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, face)
    else problems.set(face, alike(face, first))
  }
  if (problems.size === 0) return loaded
  const wrong = [...problems.values()]
  const told = loaded.problems.filter((one) => !wrong.some((other) => isSamePlace(one, other)))
  return {
    ...loaded,
    documents: loaded.documents.map((document) => withProblem(document, problems.get(document))),
    problems: [...told, ...wrong],
  }
}

const viewersOf = ({ value }: LoadedDocument) => JSON.stringify([value.template, ...identityOf(value)])

const withProblem = (document: LoadedDocument, problem: Problem | undefined): LoadedDocument =>
  problem === undefined
    ? document
    : {
        ...document,
        valid: false,
        problems: [...document.problems.filter((one) => !isSamePlace(one, problem)), problem],
      }

const isSamePlace = (one: Problem, other: Problem) =>
  one.rule === other.rule && one.file === other.file && one.line === other.line

function alike(face: LoadedDocument, first: LoadedDocument): Problem {
  const place = first.locate(['constraints'])
  const where = place ? `${first.file}:${place.line}:${place.column}` : first.file
  return {
    file: face.file,
    ...face.locate(['constraints']),
    rule: 'face-twice',
    severity: 'error',
    path: 'constraints',
    message: `a second face of ${face.value.template} for the same viewers; the first is at ${where}`,
    hint: 'faces are told apart by view mode, platform and quality: change one of them, or delete this face',
    spec: '4.5',
  }
}
