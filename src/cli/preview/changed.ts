import { resolve } from 'node:path'
import { selectFace, type ViewerPlatform } from '../../contract/kinds/face-selection.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import type { PreviewSubject } from '../../contract/preview.ts'
import { at, listAt } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { type KindName, nativeFaces } from '../../contract/values.ts'
import { readInput } from '../../documents/load/read.ts'
import { readPlan } from '../catalog/plan/saved-plan.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'

/** Bytes of a plan as JSON; what is longer is cut off, and is no plan then. */
const mostBytes = 256 * 1024 * 1024

/** Whether a plan creates or changes a document. */
export type IsChanged = (kind: KindName, name: string) => boolean

/** What a plan creates or changes: one that `plan --out` saved, or what `plan --json` printed, of which `-` is stdin. */
export async function changedBy(file: string, context: Context): Promise<IsChanged> {
  const { cwd } = context.host
  const saved = file === '-' ? undefined : readPlan(file, cwd)
  const planned = saved?.content.documents ?? printedPlan(file, await textOf(file, context))
  const changed = new Set(planned.filter(isWritten).map((one) => keyOf(at(one, 'kind'), at(one, 'name'))))
  return (kind, name) => changed.has(keyOf(kind, name))
}

const keyOf = (kind: unknown, name: unknown) => `${kind} ${name}`
const isWritten = (planned: unknown) => ['create', 'update'].includes(String(at(planned, 'action')))

async function textOf(file: string, { host, stdin }: Context): Promise<string> {
  const input = { file, named: true, ...(file !== '-' && { path: resolve(host.cwd, file) }) }
  const bytes = await readInput(input, { readStdin: stdin, signal: host.signal, limit: mostBytes })
  if (typeof bytes === 'string') throw usage(`The plan ${file} cannot be read: ${bytes}`, makeOne)
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
