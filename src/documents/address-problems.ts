import { limits } from '../contract/limits.ts'
import { addressesIn } from '../contract/rules/addresses.ts'
import { parsedUrl } from '../contract/schema/parsed-url.ts'
import { at, type Path, printPath } from '../contract/schema/path.ts'
import { word } from '../contract/schema/wording.ts'
import { ignoreComments, switchesFor, switchesOf } from './edit/ignore-comments.ts'
import type { LoadedDocument, Problem } from './load/loaded.ts'
import type { Source } from './yaml/source.ts'

/** An address in a document. */
export interface Target {
  readonly url: string
  readonly document: LoadedDocument
  readonly path: Path
  /** The expected content: `ResourceType::Image::PNG`, or `text/html`; any content where it is undefined. */
  readonly wanted: string | undefined
}

/** The answer of an address, or the reason why there is none. */
export type ProbeResult =
  | { readonly status: number; readonly type?: string | undefined; readonly size?: number | undefined }
  | string

const rule = 'probe'
const page = 'text/html'

const isWeb = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\//i.test(value) && parsedUrl(value) !== undefined

/** The addresses in documents that a viewer would load. */
export const targetsIn = (documents: readonly LoadedDocument[]): Target[] =>
  documents.flatMap((document) => addresses(document).map((one) => ({ ...one, document })))

function addresses({ value }: LoadedDocument): Omit<Target, 'document'>[] {
  const isRepeated = ([field]: Path) => field === 'package_url' && value.package_url === value.display_url
  return addressesIn(value).flatMap(({ path, url, resource }) => {
    if (!isWeb(url) || isRepeated(path)) return []
    const type = path[0] === 'display_url' ? page : at(resource, 'resourceType')
    return [{ url, path, wanted: typeof type === 'string' ? type : undefined }]
  })
}

/** The problem of an address: it does not answer, answers with the wrong type, or is large. */
export function probeProblem({ url, document, path, wanted }: Target, found: ProbeResult): Problem | undefined {
  const message = fault(url, wanted, found)
  if (message === undefined) return undefined
  return { file: document.file, ...document.locate(path), rule, severity: 'warning', path: printPath(path), message }
}

function fault(url: string, wanted: string | undefined, found: ProbeResult): string | undefined {
  if (typeof found === 'string') return `${word(url)} cannot be reached: ${found}`
  const { status, type, size } = found
  if (status >= 400) return `${word(url)} answers ${status}`
  if (wanted !== undefined && type !== undefined && !fits(wanted, type)) return `${word(url)} is ${type}, not ${wanted}`
  if (size !== undefined && size > limits.probedSize)
    return `${word(url)} has ${Math.round(size / 1024 / 1024)} MB, which is slow to load on phones`
  return undefined
}

const exact: Readonly<Record<string, readonly string[]>> = {
  'image::png': ['image/png'],
  'image::jpeg': ['image/jpeg', 'image/jpg'],
  'image::gif': ['image/gif'],
  'text::html': [page],
  'text::plain': ['text/plain'],
  'code::javascript': ['text/javascript', 'application/javascript', 'application/x-javascript'],
}

/** Whether a content type fits the expected content; of formats that are not listed only the kind is compared. */
function fits(wanted: string, type: string): boolean {
  if (type === 'application/octet-stream' || wanted === type) return true
  const format = wanted.replace(/^ResourceTypes?::/, '').toLowerCase()
  const known = Object.hasOwn(exact, format) ? exact[format] : undefined
  if (known) return known.includes(type)
  const [kind = ''] = format.split('::')
  if (['image', 'audio', 'video', 'text'].includes(kind)) return type.startsWith(`${kind}/`)
  return wanted !== page && type !== page
}

/** Problems without those that comments of their file switch off. */
export function withoutIgnoredProbes(problems: readonly Problem[], sources: readonly Source[]): Problem[] {
  const byFile = new Map(sources.map((source) => [source.file, switchesOf(ignoreComments(source))]))
  return problems.filter((problem) => switchesFor(problem, byFile.get(problem.file) ?? new Set()).length === 0)
}
