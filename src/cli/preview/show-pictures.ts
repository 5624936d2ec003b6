import { viewModes } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { styled } from '../io/text.ts'
import { pictureText, rowsFor } from '../pictures/picture-text.ts'
import type { PictureTerminal } from '../pictures/terminal.ts'
import { chromiumPath, openHeadless } from './chromium.ts'
import {
  around,
  drawnAreas,
  nothingDrawn,
  pictureOf,
  views,
  type Wanted,
  wantedViews,
  warnOfFaults,
} from './pictures.ts'

/** Rows of a terminal that the faces of a view mode take at most. */
const mostRows = 16

interface Shown extends Wanted {
  readonly terminal: PictureTerminal
}

/** Shows every vAtom on a terminal: a picture for each view mode that has a face, of all platforms side by side. */
export async function showPictures(
  url: string,
  { subjects, isChanged, terminal }: Shown,
  { host, globals, output }: Context,
): Promise<void> {
  if (subjects.every((subject) => wantedViews(subject, isChanged).length === 0))
    return output.note(nothingDrawn(isChanged))
  const page = await openHeadless(chromiumPath(host), { signal: host.signal, ...globals })
  const room = { columns: output.columns, rows: rowsFor(mostRows, host.stdout) }
  try {
    await page.open(url)
    for (const subject of subjects) {
      const wanted = wantedViews(subject, isChanged)
      const modes = viewModes.filter((mode) => wanted.some(({ viewMode }) => viewMode === mode))
      if (modes.length === 0) continue
      output.result(null, () => [styled`${output.paint.bold(subject.title)}  ${subject.name}  ${subject.file}`])
      const areas = await drawnAreas(subject.name, page, 'device')
      warnOfFaults(subject.name, areas, wanted, output)
      for (const mode of modes) {
        const own = areas.filter((_, index) => views[index]?.viewMode === mode)
        const isBlank = own.every((area) => area.isBlank)
        output.result(null, () => [isBlank ? `${mode}: nothing, it has no face` : `${mode}: web, iOS, Android`])
        const text = isBlank ? undefined : await pictureText(await pictureOf(around(own), page), terminal, room)
        if (text) host.stdout.write(text)
      }
    }
  } finally {
    await page.close()
  }
}
