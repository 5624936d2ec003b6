import { Command, Option } from 'commander'
import {
  builtInFaces,
  isFor,
  notIncluded,
  type Selection,
  selectFace,
  type ViewerPlatform,
  viewerPlatforms,
} from '../../../contract/kinds/face-selection.ts'
import { template as templateKind } from '../../../contract/kinds/template.ts'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { at } from '../../../contract/schema/path.ts'
import { viewModes } from '../../../contract/values.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { hinted } from '../../failure/hinted.ts'
import { tableLines } from '../../io/table.ts'
import { type Line, shellWord, styled } from '../../io/text.ts'
import { areFiles, loadAll } from '../../kinds/load-checked.ts'
import { missingRecord } from '../../kinds/missing.ts'
import { facesOf } from '../../kinds/requests.ts'
import { givenName, typedName } from '../../kinds/short-name.ts'

interface SelectOptions {
  readonly platform?: ViewerPlatform
  readonly viewMode?: string
  readonly installed?: readonly string[]
  readonly webFaces: boolean
}
/** A face, with its place in a file or its id. */
interface Face {
  readonly place: string
  readonly document: Readonly<Record<string, unknown>>
}
type FacesOf = ReadonlyMap<string, readonly Face[]>

export const selectCommand = (context: Context): Command =>
  new Command('select')
    .summary('show which face a viewer picks')
    .description(
      'Show which face a viewer picks for a view mode, and why. It follows the rules of the SDKs: a face for the platform of the viewer comes before a generic one, and a native face before a web face; without a face for engaged, the viewer shows the icon face. Quality and sensors are ignored. Without --platform or --view-mode, it shows all platforms or view modes.',
    )
    .argument('<template...>', 'names of templates, or YAML or JSON files that hold faces, folders, globs, or -')
    .addOption(new Option('--platform <platform>', 'platform of the viewer').choices(viewerPlatforms))
    .addOption(new Option('--view-mode <mode>', 'view mode of the viewer').choices(viewModes))
    .option(
      '--installed <url...>',
      'native faces that the viewer has besides those of the SDKs, such as native://generic-3d',
    )
    .option('--no-web-faces', 'the viewer shows no web faces')
    .addHelpText(
      'after',
      '\nExamples:\n  vatom face select coffee.faces.yaml --platform ios --view-mode engaged\n  vatom face select acme::Coffee::v1',
    )
    .action((given: string[], options: SelectOptions) => select(given, options, context))

/** What one viewer picks among the faces of a template. */
interface Picked {
  readonly template: string
  readonly platform: ViewerPlatform
  readonly viewMode: string
  readonly faces: readonly Face[]
  readonly selection: Selection
}

async function select(given: readonly string[], options: SelectOptions, context: Context): Promise<void> {
  const found = areFiles(given, context) ? await facesInFiles(given, context) : await facesOnService(given, context)
  const natives = [...builtInFaces, ...(options.installed ?? [])]
  const picked = [...found].flatMap(([template, faces]) => {
    const documents = faces.map(({ document }) => document)
    return viewersOf(options).map((viewer): Picked => {
      const selection = selectFace(documents, { ...viewer, natives, webFaces: options.webFaces })
      return { template, ...viewer, faces, selection }
    })
  })
  const sole = options.platform !== undefined && options.viewMode !== undefined
  const { output } = context
  output.result(picked.map(resultOf), () =>
    sole
      ? picked.flatMap((one) => [...reasonLines(one), ...tableLines(faceHead, faceRows(one), output)])
      : tableLines(viewerHead, picked.map(viewerRow), output),
  )
}

const viewersOf = ({ platform, viewMode }: SelectOptions) =>
  (platform === undefined ? viewerPlatforms : [platform]).flatMap((on) =>
    (viewMode === undefined ? viewModes : [viewMode]).map((mode) => ({ platform: on, viewMode: mode })),
  )

const faceOf = ({ faces, selection }: Picked): Face | undefined =>
  selection.face === undefined ? undefined : faces[selection.face]

const resultOf = (picked: Picked) => ({
  template: picked.template,
  platform: picked.platform,
  view_mode: picked.viewMode,
  shown_as: picked.selection.viewMode,
  face: faceJson(faceOf(picked)),
  considered: picked.selection.considered.map(({ face, picked: isPicked, why }) => ({
    face: faceJson(picked.faces[face]),
    picked: isPicked,
    why,
  })),
})
const faceJson = (face: Face | undefined) => (face === undefined ? null : { place: face.place, ...face.document })

const urlOf = (face: Face | undefined) => String(at(face?.document, 'display_url') ?? '')

/** Which face is picked, in words. */
function reasonLines(picked: Picked): Line[] {
  const { template, platform, viewMode } = picked
  const face = faceOf(picked)
  const where = styled`${template} as ${viewMode} on ${platform}`
  if (face === undefined) return [styled`${where}: no face, so the viewer shows nothing`]
  return [styled`${where}: ${urlOf(face)}`, ...fallbackLines(picked)]
}

/** Why the face of another view mode is shown, and how to select among those that only some apps include. */
function fallbackLines({ viewMode, faces, selection }: Picked): Line[] {
  if (selection.viewMode === viewMode) return []
  const shown = `so its ${selection.viewMode} is shown`
  const own = faces.filter(({ document }) => isFor(document, viewMode))
  if (own.length === 0) return [`No face is for ${viewMode}, ${shown}.`]
  const missing = selection.considered.flatMap(({ face, why }) => {
    const url = urlOf(faces[face])
    return why === notIncluded(url) ? [url] : []
  })
  const more = [...new Set(missing)].map((url) => styled`If your app includes that face: --installed ${shellWord(url)}`)
  return [`The viewer can show no face for ${viewMode}, ${shown}.`, ...more]
}

const faceHead = ['FACE', 'WHY']
const faceRows = ({ faces, selection }: Picked) =>
  selection.considered.map(({ face, picked, why }) => [faces[face]?.place ?? '', picked ? `picked: ${why}` : why])

const viewerHead = ['VIEW MODE', 'PLATFORM', 'SHOWN AS', 'DISPLAY URL', 'FACE', 'TEMPLATE']
function viewerRow(picked: Picked): string[] {
  const { template, platform, viewMode, selection } = picked
  const face = faceOf(picked)
  if (face === undefined) return [viewMode, platform, 'blank', '', '', template]
  return [viewMode, platform, selection.viewMode, urlOf(face), face.place, template]
}

async function facesInFiles(given: readonly string[], context: Context): Promise<FacesOf> {
  const { documents } = await loadAll(given, context)
  const faces = documents.filter(({ kind }) => kind === 'face')
  if (faces.length === 0) throw new Failure('invalid_documents', exit.invalid, 'These files contain no face')
  const byTemplate = groupBy(faces, ({ value }) => String(value.template))
  return new Map([...byTemplate].map(([template, documents]) => [template, documents.map(faceInFile)]))
}

function faceInFile({ file, value, locate }: LoadedDocument): Face {
  const place = locate(['template'])
  return { place: place ? `${file}:${place.line}` : file, document: value }
}

async function facesOnService(given: readonly string[], context: Context): Promise<FacesOf> {
  const { client } = await context.connect()
  const byTemplate = new Map<string, Face[]>()
  for (const name of given) {
    const template = await givenName(typedName(templateKind, name, context), context)
    const found = await hinted(facesOf(client, template), {
      missingReference: missingRecord(client, templateKind, template),
    })
    byTemplate.set(
      template,
      found.map(({ id, properties }) => ({ place: id, document: { template, ...properties } })),
    )
  }
  return byTemplate
}
