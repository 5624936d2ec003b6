import { selectFace } from '../../contract/kinds/face-selection.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import { isImageType } from '../../contract/placeholder.ts'
import type { PreviewSubject } from '../../contract/preview.ts'
import { at, listAt } from '../../contract/schema/path.ts'
import { nativeFaces, vatomTypeKey } from '../../contract/values.ts'
import { type Section, sectionOf } from '../../contract/vatom/complete.ts'
import type { Context } from '../context.ts'
import { PublicAddresses } from '../preview/public-addresses.ts'
import { placeholderOf } from '../preview/subjects.ts'
import type { Target } from '../service/target.ts'
import { type Picture, pictureText, type Room, rowsFor } from './picture-text.ts'
import type { PictureTerminal } from './terminal.ts'

/** A vAtom and its faces, in order of registration, as records. */
export interface Shown {
  readonly vatom: Section
  readonly faces: readonly Section[]
}

/** Rows of a terminal that a face takes at most. */
const mostRows = 14

/**
 * What shows a vAtom on a terminal: its engaged face, or its icon, as web viewers draw it. An image is shown as it is,
 * another native face is drawn with the Chromium of this machine. Undefined where neither can be, and for web faces,
 * whose code is not run without being asked for.
 */
export async function vatomPicture(
  { vatom, faces }: Shown,
  terminal: PictureTerminal,
  context: Context,
): Promise<string | undefined> {
  const documents = faces.map((face) => kindOf('face').documentOf(face))
  const viewer = { platform: 'web', viewMode: 'engaged', natives: nativeFaces, webFaces: false } as const
  const { face: index } = selectFace(documents, viewer)
  const face = index === undefined ? undefined : documents[index]
  if (face === undefined || !String(face.display_url).startsWith('native://')) return undefined
  const room = { columns: context.output.columns, rows: rowsFor(mostRows, context.host.stdout) }
  const addresses = await addressesFor(await context.target())
  const image = terminal.protocol === 'sixel' ? undefined : await plainImage(vatom, face, addresses)
  if (image) return pictureText(image, terminal, room)
  return drawnFace(subjectOf(vatom, face), { terminal, room, addresses }, context)
}

/**
 * What pictures may be loaded from: anybody can have given a vAtom, so nothing that only this machine or its network can
 * reach, unless the service is there itself. Undefined: everything.
 */
async function addressesFor(target: Target): Promise<PublicAddresses | undefined> {
  if (target.kind === 'local') return undefined
  const addresses = new PublicAddresses()
  return (await addresses.mayLoad(target.baseUrl)) ? addresses : undefined
}

/** The resource of a face that shows nothing else, where it is a PNG that is all to see. */
async function plainImage(
  vatom: Section,
  face: unknown,
  addresses: PublicAddresses | undefined,
): Promise<Picture | undefined> {
  if (at(face, 'display_url') !== 'native://image' || at(face, 'config', 'scale') === 'fill') return undefined
  const name = at(face, 'config', 'image') ?? listAt(face, 'resources')[0] ?? 'ActivatedImage'
  const resource = listAt(vatom, vatomTypeKey, 'resources').find((one) => at(one, 'name') === name)
  const url = String(at(resource, 'value', 'value'))
  if (!/^https?:/i.test(url) || !isImageType(String(at(resource, 'resourceType')))) return undefined
  return loadedPng(url, addresses)
}

/** Milliseconds in which an image is loaded, and bytes that it has at most, packed or not. */
const patience = 5_000
const mostBytes = 8_000_000

/** The PNG at an address; undefined for anything else. */
async function loadedPng(url: string, addresses: PublicAddresses | undefined): Promise<Picture | undefined> {
  try {
    const answer = await answerAt(url, addresses, AbortSignal.timeout(patience))
    if (!answer?.ok || Number(answer.headers.get('content-length') ?? Number.POSITIVE_INFINITY) > mostBytes)
      return undefined
    const png = await bytesOf(answer)
    if (png?.toString('latin1', 1, 4) !== 'PNG') return undefined
    return { png, width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
  } catch {
    return undefined
  }
}

/** How often a redirect is followed. */
const mostHops = 5

/** What an address, or where it leads, answers; undefined where one of them may not be loaded from. */
async function answerAt(
  url: string,
  addresses: PublicAddresses | undefined,
  signal: AbortSignal,
): Promise<Response | undefined> {
  let place = url
  for (let hop = 0; hop <= mostHops; hop++) {
    if (!/^https?:/i.test(place) || (addresses && !(await addresses.mayLoad(place)))) return undefined
    const answer = await fetch(place, { signal, redirect: 'manual' })
    const next = answer.headers.get('location')
    if (next === null || answer.status < 300 || answer.status > 399) return answer
    await answer.body?.cancel()
    place = new URL(next, place).href
  }
  return undefined
}

/** What an answer has; undefined as soon as that is too much, so that a small one that is large unpacked fills no memory. */
async function bytesOf({ body }: Response): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > mostBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Milliseconds in which a face is drawn: what it loads may be endless. */
const drawingTime = 10_000

/** Where a face is drawn, and what it may load. */
interface Drawing {
  readonly terminal: PictureTerminal
  readonly room: Room
  readonly addresses: PublicAddresses | undefined
}

/**
 * The engaged face, as the page of the preview draws it; undefined where there is no browser, no page in the build, or no
 * picture in time.
 */
async function drawnFace(subject: PreviewSubject, { terminal, room, addresses }: Drawing, { host, globals }: Context) {
  const [{ findChromium, openHeadless }, { drawnAreas, pictureOf, views }, { pageIn, servePreview }, { LocalFiles }] =
    await Promise.all([
      import('../preview/chromium.ts'),
      import('../preview/pictures.ts'),
      import('../preview/server.ts'),
      import('../preview/local-files.ts'),
    ])
  const [path, files] = [findChromium(host), pageIn(host.pages)]
  if (path === undefined || files === undefined) return undefined
  const catalog = { subjects: [subject], problems: [], outdated: [], version: '' }
  const none = new LocalFiles([])
  const server = await servePreview({ read: async () => catalog, version: async () => '', files: () => none }, files, 0)
  const late = AbortSignal.timeout(drawingTime)
  try {
    const link = server.newLink()
    const page = await openHeadless(path, {
      ...{ ...globals, signal: AbortSignal.any([host.signal, late]) },
      policy: addresses?.policyFor(link),
    })
    try {
      await page.open(link)
      const areas = await drawnAreas(subject.name, page)
      const area = areas[views.findIndex(({ viewMode, platform }) => viewMode === 'engaged' && platform === 'web')]
      return area && (await pictureText(await pictureOf(area, page), terminal, room))
    } finally {
      await page.close()
    }
  } catch (error) {
    if (late.aborted) return undefined
    throw error
  } finally {
    server.close()
  }
}

/** A vAtom with one face, as the page of the preview draws it, without what is in it. */
function subjectOf(vatom: Section, face: Section): PreviewSubject {
  const properties = sectionOf(vatom[vatomTypeKey])
  const places = listAt(properties, 'resources').map((one) => ({
    url: String(at(one, 'value', 'value')),
    name: String(at(one, 'name')),
    type: String(at(one, 'resourceType')),
  }))
  return {
    kind: 'variation',
    name: String(vatom.id),
    template: String(properties.template),
    title: String(properties.title),
    file: '',
    vatom,
    faces: [{ place: '', document: face }],
    children: [],
    addresses: Object.fromEntries(
      places.flatMap(({ url, name, type }) => {
        const address = placeholderOf(url, name, type)
        return address === undefined ? [] : [[url, address]]
      }),
    ),
    notes: [],
  }
}
