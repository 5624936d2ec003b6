import {
  isFor,
  selectFace,
  type Viewer,
  type ViewerPlatform,
  viewerPlatforms,
} from '../../../contract/kinds/face-selection.ts'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { at } from '../../../contract/schema/path.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import { viewModes } from '../../../contract/values.ts'
import type { LoadedDocument, Problem } from '../../../documents/load/loaded.ts'
import type { Plan, Step } from './plan.ts'

/** A face that apps show by the order of the files, and those that they show in its place by that of the service. */
interface Outrun {
  readonly step: Step
  readonly platform: ViewerPlatform
  /** They are as good, were registered earlier, and stand behind it in the files. */
  readonly rivals: readonly Step[]
}

/** Warns of faces that the files have before others that are as good, and that were registered behind them. Spec 4.5. */
export function faceOrderWarnings({ steps }: Pick<Plan, 'steps'>): Map<Step, Problem> {
  const faces = steps.filter(({ document }) => document.kind === 'face')
  const families = groupBy(faces, ({ document }) => document.value.template)
  const found = groupBy([...families.values()].flatMap(outrunIn), ({ step }) => step)
  return new Map([...found].map(([step, outrun]) => [step, warningOf(step, outrun)]))
}

const outrunIn = (faces: readonly Step[]): Outrun[] =>
  viewModes.flatMap((viewMode) =>
    viewerPlatforms.flatMap((platform) => outrunFor({ ...everyFace(faces), platform, viewMode }, faces)),
  )

/** What an app includes that can show all of the faces. */
const everyFace = (faces: readonly Step[]): Pick<Viewer, 'natives' | 'webFaces'> => ({
  natives: faces.map(({ document }) => String(document.value.display_url)),
  webFaces: true,
})

function outrunFor(viewer: Viewer, faces: readonly Step[]): Outrun[] {
  const picked = selectFace(valuesOf(faces), viewer).face
  const step = picked === undefined ? undefined : faces[picked]
  if (step === undefined || !isFor(step.document.value, viewer.viewMode)) return []
  const rivals = registeredBefore(step, faces).filter((one) => selectFace(valuesOf([one, step]), viewer).face === 0)
  return rivals.length === 0 ? [] : [{ step, platform: viewer.platform, rivals }]
}

const valuesOf = (faces: readonly Step[]) => faces.map(({ document }) => document.value)

/** New faces are registered behind all others. */
const placeOf = ({ record }: Step): number => record?.place ?? Number.POSITIVE_INFINITY

const registeredBefore = (step: Step, faces: readonly Step[]): Step[] =>
  faces.filter((one) => placeOf(one) < placeOf(step)).sort((one, other) => placeOf(one) - placeOf(other))

function warningOf({ document }: Step, outrun: readonly Outrun[]): Problem {
  const platforms = outrun.map(({ platform }) => platform).join(' and ')
  const rivals = [...new Set(outrun.flatMap((one) => one.rivals))]
  const places = nameList(rivals.map((one) => lineOf(one.document)))
  const [others, them] = rivals.length === 1 ? [`the one at ${places} is`, 'it'] : [`those at ${places} are`, 'them']
  const ids = rivals.flatMap(({ record }) => record?.key ?? []).join(' ')
  return {
    file: document.file,
    ...document.locate(['constraints']),
    rule: 'face-order',
    severity: 'warning',
    path: 'constraints',
    message: `apps on ${platforms} show another face as ${String(at(document.value, 'constraints', 'view_mode'))}: ${others} as good, and registered earlier`,
    hint: `to have this one shown, have ${them} registered again, behind this one: vatom face delete ${ids}, then apply again; or move this one behind ${them} in the files`,
    spec: '4.5',
  }
}

function lineOf({ file, locate }: LoadedDocument): string {
  const place = locate(['constraints'])
  return place ? `${file}:${place.line}` : file
}
