import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { viewerPlatforms } from '../../contract/kinds/face-selection.ts'
import type { PreviewSubject } from '../../contract/preview.ts'
import { at, listAt } from '../../contract/schema/path.ts'
import { viewModes } from '../../contract/values.ts'
import { makeFolder } from '../../file-system.ts'
import type { Context } from '../context.ts'
import { styled } from '../io/text.ts'
import { type Area, chromiumPath, type HeadlessPage, openHeadless } from './chromium.ts'

/** A picture of a vAtom in a view mode on a platform. */
interface Picture {
  readonly file: string
  readonly name: string
  readonly view_mode: string
  readonly platform: string
}

/** Every view of a vAtom, in the order in which the page shows them. */
const views = viewModes.flatMap((viewMode) => viewerPlatforms.map((platform) => ({ viewMode, platform })))
const labels = views.map(({ viewMode, platform }) => `${viewMode} ${platform}`)

/** Milliseconds that a face gets to load; then it is drawn as far as it is. */
const patience = 20_000
const sheetName = 'contact-sheet.png'

/** Writes a PNG of every vAtom in every view mode on every platform, and one of all of them, into a folder. */
export async function writePictures(
  url: string,
  subjects: readonly PreviewSubject[],
  folder: string,
  { host, output }: Context,
): Promise<void> {
  const page = await openHeadless(chromiumPath(host), host.signal)
  const target = resolve(host.cwd, folder)
  const written: Picture[] = []
  const images: string[] = []
  try {
    makeFolder(target)
    await page.open(url)
    for (const { name } of subjects) {
      const areas = await draw(name, page)
      for (const [index, { viewMode, platform }] of views.entries()) {
        const area = areas[index]
        if (area === undefined) continue
        const file = `${name.replaceAll(/[^\w.-]+/g, '-')}.${viewMode}.${platform}.png`
        const png = await page.picture(area)
        writeFileSync(join(target, file), png)
        written.push({ file: join(folder, file), name, view_mode: viewMode, platform })
        images.push(png.toString('base64'))
      }
    }
    writeFileSync(join(target, sheetName), await contactSheet(subjects, images, page))
  } finally {
    await page.close()
  }
  const sheet = join(folder, sheetName)
  output.result({ pictures: written, contact_sheet: sheet }, () => [
    ...written.map(({ file }) => styled`${file}`),
    styled`${sheet}`,
  ])
}

/** Shows a vAtom on the page, and answers where its faces are: the platforms of each view mode. */
async function draw(name: string, page: HeadlessPage): Promise<Area[]> {
  const found = await page.evaluate(`new Promise((resolve) => {
    const name = ${JSON.stringify(name)}
    const end = Date.now() + ${patience}
    const look = () => {
      const stage = document.querySelector('.stage')
      if (!stage) return setTimeout(look, 50)
      if (decodeURIComponent(location.hash.slice(1)) !== name) location.hash = encodeURIComponent(name)
      if (stage.dataset.drawn !== name && Date.now() < end) return setTimeout(look, 50)
      resolve([...stage.querySelectorAll('.device .screen')].map((screen) => {
        const { x, y, width, height } = screen.getBoundingClientRect()
        return { x: x + scrollX, y: y + scrollY, width, height }
      }))
    }
    look()
  })`)
  return listAt({ found }, 'found').map((area) => {
    const number = (key: string) => Number(at(area, key))
    return { x: number('x'), y: number('y'), width: number('width'), height: number('height') }
  })
}

/** All pictures under the names of their vAtoms. */
async function contactSheet(
  subjects: readonly PreviewSubject[],
  images: readonly string[],
  page: HeadlessPage,
): Promise<Buffer> {
  const imagesOf = (index: number) => images.slice(index * views.length, (index + 1) * views.length)
  const parts = subjects.map(({ name }, index) => ({ name, images: imagesOf(index) }))
  await page.open('about:blank')
  const height = await page.evaluate(`(async () => {
    const made = (tag, css, parent) => { const one = document.createElement(tag); one.style.cssText = css; parent.append(one); return one }
    document.body.style.cssText = 'margin:0;padding:24px;width:1232px;font:14px system-ui,sans-serif;background:#f6f6f4;color:#1c1d1f'
    for (const { name, images } of ${JSON.stringify(parts)}) {
      made('h2', 'font-size:15px;margin:16px 0 8px', document.body).textContent = name
      const row = made('div', 'display:grid;grid-template-columns:repeat(${views.length},1fr);gap:6px;align-items:start', document.body)
      for (const [index, image] of images.entries()) {
        const cell = made('div', '', row)
        made('div', 'font-size:11px', cell).textContent = ${JSON.stringify(labels)}[index]
        const drawn = made('img', 'width:100%;border:1px solid #d9d9d3', cell)
        drawn.src = 'data:image/png;base64,' + image
        await drawn.decode()
      }
    }
    return document.body.lastElementChild.getBoundingClientRect().bottom + 24
  })()`)
  return page.picture({ x: 0, y: 0, width: 1280, height: Number(height) })
}
