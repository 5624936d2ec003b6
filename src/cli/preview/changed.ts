import { resolve } from 'node:path'
import { selectFace, type ViewerPlatform } from '../../contract/kinds/face-selection.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import type { PreviewSubject } from '../../contract/preview.ts'
import { isPublisherName, isSamePublisher } from '../../contract/schema/domain-name.ts'
import { at, listAt } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { type KindName, nativeFaces } from '../../contract/values.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import { readInput } from '../../documents/load/read.ts'
import { readPlan } from '../catalog/plan/saved-plan.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { givenPublisher, unmeantPublisher } from '../service/publisher.ts'

/** Bytes of a plan as JSON; what is longer is cut off, and is no plan then. */
const mostBytes = 256 * 1024 * 1024

/** Whether a plan creates or changes a document. */
export type IsChanged = (kind: KindName, name: string) => boolean

/** What a plan says of the documents of a catalog. */
export interface Planned {
  /** The publisher of its documents; undefined if it has none. */
  readonly publisher: string | undefined
  /** What to do if another publisher is meant. */
  readonly otherPublisher?: string
  readonly isChanged: IsChanged
  /** Throws a usage error if it is of other documents alone. */
  checkIsOf(documents: readonly LoadedDocument[]): void
}

/**
 * What a plan says that `plan --out` saved, or that `plan --json` printed, of which `-` is stdin. Throws a usage error
 * for a plan of another publisher than the one that the environment names.
 */
export async function plannedIn(file: string, context: Context): Promise<Planned> {
  const saved = file === '-' ? undefined : readPlan(file, context.host.cwd)
  const rows: readonly unknown[] = saved?.content.documents ?? printedPlan(file, await textOf(file, context))
  const documents = rows.filter((row) => at(row, 'action') !== 'delete')
  const publisher = saved?.content.publisher ?? publisherOf(documents)
  const plan = file === '-' ? 'on standard input' : file
  refuseOtherThan(publisher, plan, context)
  const all = new Set(documents.map(keyIn))
  const changed = new Set(documents.filter(isWritten).map(keyIn))
  return {
    publisher,
    ...(publisher !== undefined && { otherPublisher: unmeantPublisher(publisher, `that of the plan ${plan}`) }),
    isChanged: (kind, name) => changed.has(keyOf(kind, name)),
    checkIsOf: (drawn) => {
      if (all.size === 0 || drawn.length === 0 || drawn.some(({ kind, name }) => all.has(keyOf(kind, name)))) return
      const [first] = all
      throw usage(
        `The plan ${plan} is of another catalog: none of its documents is given, such as ${first}`,
        'name the catalog that was planned, or plan this one: vatom plan PATH --out FILE',
      )
    },
  }
}

/** Refuses a plan of another publisher than the one that the environment names. */
function refuseOtherThan(publisher: string | undefined, plan: string, context: Context): void {
  const given = givenPublisher(context)
  if (given === undefined || publisher === undefined || isSamePublisher(given, publisher)) return
  throw usage(
    `The plan ${plan} is of the publisher ${publisher}, and VATOM_PUBLISHER is ${given}`,
    `name a plan of ${given}, or remove the variable: env -u VATOM_PUBLISHER vatom …`,
  )
}

const keyOf = (kind: unknown, name: unknown) => `${kind} ${name}`
const keyIn = (row: unknown) => keyOf(at(row, 'kind'), at(row, 'name'))
const isWritten = (row: unknown) => ['create', 'update'].includes(String(at(row, 'action')))

/** The publisher of documents, whose names begin with it; refused ones can be of another. */
function publisherOf(rows: readonly unknown[]): string | undefined {
  const own = rows.find((row) => at(row, 'action') !== 'refuse')
  const [publisher = ''] = String(at(own, 'name') ?? '').split('::')
  return isPublisherName(publisher) ? publisher : undefined
}

async function textOf(file: string, { host, stdin }: Context): Promise<string> {
  const input = { file, named: true, ...(file !== '-' && { path: resolve(host.cwd, file) }) }
  const bytes = await readInput(input, { readStdin: stdin, signal: host.signal, limit: mostBytes })
  if (typeof bytes === 'string') throw usage(`The plan ${file}: ${bytes}`, makeOne)
  return new TextDecoder().decode(bytes)
}

const makeOne = 'make one: vatom plan PATH --out FILE, or vatom plan PATH --json > FILE'

/** The rows of a plan as JSON; throws for other files. */
function printedPlan(file: string, text: string): readonly unknown[] {
  const found = parseJson(text)
  if (at(found, 'dry_run') === true && Array.isArray(at(found, 'results'))) return listAt(found, 'results')
  throw usage(`${file === '-' ? 'Standard input' : file} is not a plan`, makeOne)
}

/** Whether a vAtom may look otherwise in a view: the plan changes the face, or what the face draws. */
export function isViewChanged(
  subject: PreviewSubject,
  { viewMode, platform }: { readonly viewMode: string; readonly platform: ViewerPlatform },
  isChanged: IsChanged,
): boolean {
  const faces = subject.faces.map(({ document }) => document)
  const { face: index } = selectFace(faces, { platform, viewMode, natives: nativeFaces, webFaces: true })
  const face = index === undefined ? undefined : faces[index]
  if (face === undefined) return false
  return (
    isChanged('face', kindOf('face').nameOf(face)) ||
    isChanged(subject.kind, subject.name) ||
    isChanged('template', subject.template)
  )
}
