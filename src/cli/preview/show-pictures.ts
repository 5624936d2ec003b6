import type { PreviewSubject } from '../../contract/preview.ts'
import { viewModes } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { styled } from '../io/text.ts'
import { pictureText } from '../pictures/picture-text.ts'
import type { PictureTerminal } from '../pictures/terminal.ts'
import { type IsChanged, isViewChanged } from './changed.ts'
import { chromiumPath, openHeadless } from './chromium.ts'
import { around, drawnAreas, pictureOf, views } from './pictures.ts'

/** Rows of a terminal that the faces of a view mode take at most. */
const mostRows = 16

interface Wanted {
  readonly subjects: readonly PreviewSubject[]
  readonly isChanged: IsChanged | undefined
  readonly terminal: PictureTerminal
}

/** Shows every vAtom on a terminal: a picture for each view mode that has a face, of all platforms side by side. */
export async function showPictures(
  url: string,
  { subjects, isChanged, terminal }: Wanted,
  { host, output }: Context,
): Promise<void> {
  const page = await openHeadless(chromiumPath(host), host.signal)
  const room = { columns: output.columns, rows: Math.min(mostRows, (host.stdout.rows ?? mostRows) - 2) }
  try {
    await page.open(url)
    for (const subject of subjects) {
      const isWanted = (view: (typeof views)[number]) => !isChanged || isViewChanged(subject, view, isChanged)
      const modes = viewModes.filter((mode) => views.some((view) => view.viewMode === mode && isWanted(view)))
      if (modes.length === 0) continue
      output.result(null, () => [styled`${output.paint.bold(subject.title)}  ${subject.name}  ${subject.file}`])
      const areas = await drawnAreas(subject.name, page, 'device')
      for (const mode of modes) {
        const drawn = areas.filter(({ isBlank }, index) => views[index]?.viewMode === mode && !isBlank)
        output.result(null, () => [
          drawn.length > 0 ? `${mode}: web, iOS, Android` : `${mode}: nothing, it has no face`,
        ])
        const own = areas.filter((_, index) => views[index]?.viewMode === mode)
        const text = drawn.length > 0 && (await pictureText(await pictureOf(around(own), page), terminal, room))
        if (text) host.stdout.write(text)
      }
    }
  } finally {
    await page.close()
  }
}
