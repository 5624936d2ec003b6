import { faceText } from '../../../contract/kinds/face.ts'
import {
  isFor,
  selectFace,
  type Viewer,
  type ViewerPlatform,
  viewerPlatforms,
} from '../../../contract/kinds/face-selection.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { at } from '../../../contract/schema/path.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import { viewModes } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { LoadedDocument, Problem } from '../../../documents/load/loaded.ts'
import { isWriting, type Plan, type Step, type Unlisted } from './plan.ts'

/** A face that apps on a platform show by the files, and those that they show in its place by what is on the service. */
interface Outrun<R> {
  readonly step: Step
  readonly platform: ViewerPlatform
  readonly rivals: readonly R[]
}

/** A face on the service that is in no file, and of no other catalog: it is this one's to delete. */
type Stray = Unlisted & { readonly record: NonNullable<Unlisted['record']> }

/**
 * Warns of faces that the files have before others that are as good, and that were registered behind them; and of faces
 * that the plan writes, and that apps do not show for those that are in no file. Spec 4.5.
 */
export function faceOrderWarnings({
  steps,
  unlisted,
  isPartial,
}: Pick<Plan, 'steps' | 'unlisted' | 'isPartial'>): Map<Step, Problem[]> {
  const families = groupBy(
    steps.filter(({ document }) => document.kind === 'face'),
    ({ document }) => document.value.template,
  )
  const strays = groupBy(unlisted.filter(isStray), ({ template }) => template)
  const found = [...families].flatMap(([template, faces]) => [
    ...warnings(outrunIn(faces), misorderedText),
    ...warnings(outrunByStrays(faces, strays.get(String(template)) ?? []), (rivals) => strayText(rivals, isPartial)),
  ])
  return new Map([...groupBy(found, ([step]) => step)].map(([step, all]) => [step, all.map(([, problem]) => problem)]))
}

const isStray = (one: Unlisted): one is Stray =>
  one.kind === 'face' && one.record !== undefined && one.prunedBy !== undefined

const outrunIn = (faces: readonly Step[]): Outrun<Step>[] =>
  picksAmong(faces, faces.map(faceValue)).map(({ step, viewer }) => ({
    step,
    platform: viewer.platform,
    rivals: registeredBefore(step, faces).filter((one) => isPickedBefore(one, step, viewer)),
  }))

/** Faces that are not written are left out: somebody may want what the service has beside them. */
const outrunByStrays = (faces: readonly Step[], strays: readonly Stray[]): Outrun<Stray>[] =>
  picksAmong(faces, [...faces, ...strays].map(faceValue))
    .filter(({ step }) => isWriting(step))
    .map(({ step, viewer }) => ({
      step,
      platform: viewer.platform,
      rivals: strays.filter((one) => isPickedBefore(one, step, viewer)),
    }))

/** The face that apps of each kind show by the files, if they can show all of some faces. */
const picksAmong = (faces: readonly Step[], all: readonly Section[]): { step: Step; viewer: Viewer }[] =>
  viewModes.flatMap((viewMode) =>
    viewerPlatforms.flatMap((platform) => {
      const viewer = { platform, viewMode, natives: all.map((face) => String(face.display_url)), webFaces: true }
      const picked = selectFace(faces.map(faceValue), viewer).face
      const step = picked === undefined ? undefined : faces[picked]
      return step && isFor(step.document.value, viewMode) ? [{ step, viewer }] : []
    }),
  )

const faceValue = (face: Step | Stray): Section =>
  'document' in face ? face.document.value : kindOf('face').documentOf(face.record.stored)

/** New faces are registered behind all others. */
const placeOf = ({ record }: Step | Stray): number => record?.place ?? Number.POSITIVE_INFINITY

const registeredBefore = (step: Step, faces: readonly Step[]): Step[] =>
  faces.filter((one) => placeOf(one) < placeOf(step)).sort((one, other) => placeOf(one) - placeOf(other))

/** Whether a viewer picks a face of these two that is not the step's, in the order of their registration. */
function isPickedBefore(one: Step | Stray, step: Step, viewer: Viewer): boolean {
  const inOrder = placeOf(one) < placeOf(step) ? [one, step] : [step, one]
  const { face } = selectFace(inOrder.map(faceValue), viewer)
  return face !== undefined && inOrder[face] === one
}

/** What a warning says of rivals, after `apps on web show another face as icon: `, and how the other one is shown. */
type Wording<R> = (rivals: readonly R[]) => Required<Pick<Problem, 'message' | 'hint'>>

/** A warning of each step that has rivals. */
function warnings<R>(outrun: readonly Outrun<R>[], wording: Wording<R>): (readonly [Step, Problem])[] {
  const found = groupBy(
    outrun.filter(({ rivals }) => rivals.length > 0),
    ({ step }) => step,
  )
  return [...found].map(([step, all]) => {
    const platforms = all.map(({ platform }) => platform).join(' and ')
    const { message, hint } = wording([...new Set(all.flatMap(({ rivals }) => rivals))])
    const viewMode = String(at(step.document.value, 'constraints', 'view_mode'))
    return [step, warning(step, `apps on ${platforms} show another face as ${viewMode}: ${message}`, hint)] as const
  })
}

const warning = ({ document }: Step, message: string, hint: string): Problem => ({
  file: document.file,
  ...document.locate(['constraints']),
  rule: 'face-order',
  severity: 'warning',
  path: 'constraints',
  message,
  hint,
  spec: '4.5',
})

const misorderedText: Wording<Step> = (rivals) => {
  const places = nameList(rivals.map(({ document }) => lineOf(document)))
  const [others, them] = rivals.length === 1 ? [`the one at ${places} is`, 'it'] : [`those at ${places} are`, 'them']
  const ids = rivals.flatMap(({ record }) => record?.key ?? []).join(' ')
  return {
    message: `${others} as good, and registered earlier`,
    hint: `to have this one shown, have ${them} registered again, behind this one: vatom face delete ${ids}, then apply again; or move this one behind ${them} in the files`,
  }
}

function strayText(rivals: readonly Stray[], isPartial: boolean | undefined) {
  const named = nameList(rivals.map(({ key, record }) => `${key} (${faceText(record.stored.properties)})`))
  const [is, them] = rivals.length === 1 ? ['is', 'it'] : ['are', 'them']
  const command = `vatom face delete ${rivals.map(({ key }) => key).join(' ')}`
  const flags = new Set(rivals.map(({ prunedBy, refusal }) => (refusal ? undefined : prunedBy)))
  const byRun = flags.has(undefined) ? '' : `${[...flags].join(' ')}${isPartial ? ' of the whole catalog' : ''}, or `
  return {
    message: `${named} on the service ${is} in no file`,
    hint: `to have this one shown, delete ${them}: ${byRun}${command}`,
  }
}

function lineOf({ file, locate }: LoadedDocument): string {
  const place = locate(['constraints'])
  return place ? `${file}:${place.line}` : file
}
