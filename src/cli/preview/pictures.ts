import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { viewerPlatforms } from '../../contract/kinds/face-selection.ts'
import type { PreviewSubject } from '../../contract/preview.ts'
import { composed } from '../../contract/schema/composed.ts'
import { groupBy } from '../../contract/schema/group-by.ts'
import { at, listAt } from '../../contract/schema/path.ts'
import { viewModes } from '../../contract/values.ts'
import { makeFolder, realPath } from '../../file-system.ts'
import { writeWithin } from '../../whole-file.ts'
import type { Context } from '../context.ts'
import { beginning, distinctFileNames } from '../io/distinct-file-names.ts'
import type { Output } from '../io/output.ts'
import { styled } from '../io/text.ts'
import { writing } from '../io/text-files.ts'
import type { Picture } from '../pictures/picture-text.ts'
import { type IsChanged, isViewChanged } from './changed.ts'
import { type Area, chromiumPath, type HeadlessPage, openHeadless } from './chromium.ts'
import { checkReplaced, marked } from './own-pictures.ts'
import { PublicAddresses } from './public-addresses.ts'

/** A picture of a vAtom in a view mode on a platform. */
interface WrittenPicture {
  readonly file: string
  readonly name: string
  readonly view_mode: string
  readonly platform: string
  /** What it shows in place of the face, if something could not be loaded. */
  readonly shows?: string
}

/** Every view of a vAtom, in the order in which the page shows them. */
export const views = viewModes.flatMap((viewMode) => viewerPlatforms.map((platform) => ({ viewMode, platform })))

type View = (typeof views)[number]

/** The pictures of a vAtom on the contact sheet. */
interface SheetPart {
  readonly name: string
  readonly images: { readonly label: string; readonly base64: string }[]
}

/** Milliseconds that the faces of a vAtom get to load; then they are drawn as far as they are. */
const patience = 20_000
const late = `only what was loaded within ${patience / 1000} s`
const sheetName = 'contact-sheet.png'

/** What pictures are made of. */
export interface Wanted {
  readonly subjects: readonly PreviewSubject[]
  /** Whether a plan changes a document: then only views are drawn that the plan changes. */
  readonly isChanged: IsChanged | undefined
}

interface Written extends Wanted {
  readonly folder: string
  /** Whether what only this machine or its network can reach is drawn, too. */
  readonly allowsPrivate: boolean
}

/** The views of a vAtom that are drawn. */
export const wantedViews = (subject: PreviewSubject, isChanged: IsChanged | undefined) =>
  views.filter((view) => isChanged === undefined || isViewChanged(subject, view, isChanged))

/**
 * Writes a PNG of every vAtom in every view mode on every platform, and one of all of them, into a folder. Throws
 * `file_exists`, before it draws, where a file in it has the name of one and is not what an earlier run wrote.
 */
export async function writePictures(
  url: string,
  { subjects, isChanged, folder, allowsPrivate }: Written,
  { host, globals, output }: Context,
): Promise<void> {
  const drawn = subjects.flatMap((subject) => {
    const wanted = wantedViews(subject, isChanged)
    return wanted.length > 0 ? [{ name: subject.name, wanted }] : []
  })
  const target = resolve(host.cwd, folder)
  if (drawn.length === 0) {
    output.note(styled`${nothingDrawn(isChanged)}: no picture was written`)
    if (!isChanged) await noteLeft(target, [], output)
    return output.result({ pictures: [], contact_sheet: null }, () => [])
  }
  // Of all vAtoms, so that a picture has the same file whatever else is drawn.
  const files = pictureFiles(subjects.map(({ name }) => name))
  const fileOf = (name: string, { viewMode, platform }: View) => `${files.get(name)}.${viewMode}.${platform}.png`
  const planned = drawn.flatMap(({ name, wanted }) => wanted.map((view) => fileOf(name, view)))
  for (const file of [...planned, sheetName]) checkReplaced(join(folder, file), host.cwd)
  const addresses = new PublicAddresses()
  const page = await openHeadless(chromiumPath(host), {
    ...{ signal: host.signal, ...globals },
    policy: allowsPrivate ? undefined : addresses.policyFor(url),
  })
  const written: WrittenPicture[] = []
  const parts: SheetPart[] = []
  try {
    const within = writing(folder, () => {
      makeFolder(target)
      return realPath(target)
    })
    const write = (file: string, png: Buffer) => {
      checkReplaced(join(folder, file), host.cwd)
      writing(join(folder, file), () => writeWithin(within, join(target, file), marked(png)))
    }
    await page.open(url)
    for (const { name, wanted } of drawn) {
      const part: SheetPart = { name, images: [] }
      parts.push(part)
      const areas = await drawnAreas(name, page)
      warnOfFaults(name, areas, wanted, output)
      for (const [index, view] of views.entries()) {
        const area = areas[index]
        if (area === undefined || !wanted.includes(view)) continue
        const { viewMode, platform } = view
        const file = fileOf(name, view)
        const png = await page.picture(area)
        write(file, png)
        const { fault } = area
        written.push({
          ...{ file: join(folder, file), name, view_mode: viewMode, platform },
          ...(fault !== undefined && { shows: fault }),
        })
        part.images.push({ label: `${viewMode} ${platform}`, base64: png.toString('base64') })
      }
    }
    write(sheetName, await contactSheet(parts, page))
  } finally {
    await page.close()
  }
  addresses.warn(output)
  if (!isChanged) await noteLeft(target, written, output)
  const sheet = join(folder, sheetName)
  output.result({ pictures: written, contact_sheet: sheet }, () => [
    ...written.map(({ file }) => styled`${file}`),
    styled`${sheet}`,
  ])
}

/** Why no vAtom is drawn. */
export const nothingDrawn = (isChanged: IsChanged | undefined): string =>
  isChanged
    ? 'The plan changes nothing that a face draws'
    : 'None of the documents is drawn, as no template is among them'

const ending = new RegExp(`\\.(${viewModes.join('|')})\\.(${viewerPlatforms.join('|')})\\.png$`)

/** Names pictures in the folder that an earlier run has left, of what is not drawn any more. */
async function noteLeft(target: string, written: readonly WrittenPicture[], output: Output): Promise<void> {
  if (!existsSync(target)) return
  const current = new Set(written.map(({ file }) => basename(file)))
  const left = readdirSync(target).filter((file) => ending.test(file) && !current.has(composed(file)))
  if (left.length === 0) return
  const { nameList } = await import('../../contract/schema/suggest.ts')
  output.note(styled`left of an earlier run, and not drawn any more: ${nameList(left.sort(), 3)}`)
}

/** Longest name of a picture, in bytes, without a fingerprint, view and ending: file systems take 255. */
const longest = 219

/** The names of the pictures of each vAtom, without their view. */
export const pictureFiles = (names: readonly string[]): Map<string, string> => distinctFileNames(names, plainPicture)

/** Of `$publisher::Coffee`, where no publisher is known, a name that no command takes for a flag. */
const plainPicture = (name: string): string =>
  beginning(
    composed(name)
      .replaceAll(/[^\p{L}\p{M}\p{N}_.-]+/gu, '-')
      .replace(/^-+/, ''),
    longest,
  )

/** Where a view is drawn. */
interface DrawnArea extends Area {
  /** Whether nothing is to see there, because no face is for the view. */
  readonly isBlank: boolean
  /** What is to see there in place of the face, if something could not be loaded. */
  readonly fault: string | undefined
}

/** Warns of views that do not show what the face loads. */
export function warnOfFaults(name: string, areas: readonly DrawnArea[], wanted: readonly View[], output: Output): void {
  const faulty = views.flatMap((view, index) => {
    const fault = wanted.includes(view) ? areas[index]?.fault : undefined
    return fault === undefined ? [] : [{ fault, text: `${view.viewMode} ${view.platform}` }]
  })
  for (const [fault, some] of groupBy(faulty, (one) => one.fault))
    output.warn(styled`${name} shows ${fault} (${some.map(({ text }) => text).join(', ')})`)
}

/** Shows a vAtom on the page, and answers where its faces are, or the devices: the platforms of each view mode. */
export async function drawnAreas(
  name: string,
  page: HeadlessPage,
  part: 'screen' | 'device' = 'screen',
): Promise<DrawnArea[]> {
  const since = performance.now()
  const found = await page.evaluate(`new Promise((resolve) => {
    const name = ${JSON.stringify(name)}
    const end = Date.now() + ${patience}
    const look = () => {
      const stage = document.querySelector('.stage')
      if (!stage) return setTimeout(look, 50)
      if ('${part}' === 'screen') document.documentElement.dataset.pictures = ''
      if (decodeURIComponent(location.hash.slice(1)) !== name) location.hash = encodeURIComponent(name)
      if (stage.dataset.drawn !== name && Date.now() < end) return setTimeout(look, 50)
      const late = stage.dataset.drawn === name ? undefined : ${JSON.stringify(late)}
      resolve([...stage.querySelectorAll('.grid .${part}')].map((screen) => {
        const { x, y, width, height } = screen.getBoundingClientRect()
        const isBlank = screen.closest('.faceless') !== null
        const fault = isBlank ? undefined : (screen.closest('.cell').querySelector('.unloaded')?.textContent ?? late)
        const isFrame = screen.querySelector('iframe') !== null
        return { x: x + scrollX, y: y + scrollY, width, height, isBlank, isFrame, fault }
      }))
    }
    look()
  })`)
  const areSettled = await page.framesSettled(Math.max(0, since + patience - performance.now()))
  return listAt({ found }, 'found').map((area) => {
    const number = (key: string) => Number(at(area, key))
    const isBlank = at(area, 'isBlank') === true
    const lateFrame = at(area, 'isFrame') === true && !areSettled ? late : undefined
    const found = at(area, 'fault')
    const fault = typeof found === 'string' ? found : lateFrame
    return { x: number('x'), y: number('y'), width: number('width'), height: number('height'), isBlank, fault }
  })
}

/** The area that has all of some. */
export function around(areas: readonly Area[]): Area {
  const [x, y] = [Math.min(...areas.map((area) => area.x)), Math.min(...areas.map((area) => area.y))]
  const right = Math.max(...areas.map((area) => area.x + area.width))
  const bottom = Math.max(...areas.map((area) => area.y + area.height))
  return { x, y, width: right - x, height: bottom - y }
}

/** A picture of an area, for a terminal. */
export async function pictureOf(area: Area, page: HeadlessPage): Promise<Picture> {
  const png = await page.picture(area, 2)
  return {
    ...area,
    png,
    pixels: async (width, height) => {
      const drawn = await page.evaluate(`(async () => {
        const image = new Image()
        image.src = 'data:image/png;base64,${png.toString('base64')}'
        await image.decode()
        const drawing = new OffscreenCanvas(${width}, ${height}).getContext('2d')
        drawing.imageSmoothingQuality = 'high'
        drawing.drawImage(image, 0, 0, ${width}, ${height})
        const { data } = drawing.getImageData(0, 0, ${width}, ${height})
        const parts = []
        for (let from = 0; from < data.length; from += 30000)
          parts.push(String.fromCharCode(...data.subarray(from, from + 30000)))
        return btoa(parts.join(''))
      })()`)
      return { width, height, data: Buffer.from(String(drawn), 'base64') }
    },
  }
}

/** All pictures under the names of their vAtoms. */
async function contactSheet(parts: readonly SheetPart[], page: HeadlessPage): Promise<Buffer> {
  await page.open('about:blank')
  const height = await page.evaluate(`(async () => {
    const made = (tag, css, parent) => { const one = document.createElement(tag); one.style.cssText = css; parent.append(one); return one }
    document.body.style.cssText = 'margin:0;padding:24px;width:1232px;font:14px system-ui,sans-serif;background:#f6f6f4;color:#1c1d1f'
    for (const { name, images } of ${JSON.stringify(parts)}) {
      made('h2', 'font-size:15px;margin:16px 0 8px', document.body).textContent = name
      const row = made('div', 'display:grid;grid-template-columns:repeat(${views.length},1fr);gap:6px;align-items:start', document.body)
      for (const { label, base64 } of images) {
        const cell = made('div', '', row)
        made('div', 'font-size:10px;white-space:nowrap;overflow:hidden', cell).textContent = label
        const drawn = made('img', 'width:100%;border:1px solid #d9d9d3', cell)
        drawn.src = 'data:image/png;base64,' + base64
        await drawn.decode()
      }
    }
    return document.body.lastElementChild.getBoundingClientRect().bottom + 24
  })()`)
  return page.picture({ x: 0, y: 0, width: 1280, height: Number(height) })
}
