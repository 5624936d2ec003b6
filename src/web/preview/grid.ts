import { viewerPlatforms } from '../../contract/kinds/face-selection.ts'
import type { PreviewSubject } from '../../contract/preview.ts'
import { viewModes } from '../../contract/values.ts'
import { element } from '../element.ts'
import { type DrawnFace, describeDrawing, differencesOf, drawFace, faultIn } from '../faces/draw-face.ts'
import type { FacePlan } from '../faces/plan-face.ts'
import { platformNames } from '../names.ts'

/** The faces of a vAtom in every view mode on every platform. */
export interface Grid {
  readonly element: HTMLElement
  /** Resolved when all faces are loaded, or have turned out not to be loadable. */
  readonly ready: Promise<unknown>
  /** Shows the vAtom in another state. */
  readonly update: (vatom: unknown, children: readonly unknown[]) => void
  readonly destroy: () => void
}

interface Row {
  readonly element: HTMLElement
  readonly cells: readonly DrawnFace[]
  readonly update: (vatom: unknown, children: readonly unknown[]) => void
}

/** Draws the grid of a vAtom; `addressOf` maps addresses to those that the page can load. */
export function drawGrid(
  subject: PreviewSubject,
  vatom: unknown,
  children: readonly unknown[],
  addressOf: (url: string) => string | undefined,
): Grid {
  const rows = viewModes.map((viewMode) => drawRow({ subject, vatom, children, addressOf }, viewMode))
  const cells = rows.flatMap((row) => row.cells)
  return {
    element: element('div', { class: 'grid' }, ...rows.map((row) => row.element)),
    ready: Promise.all(cells.map((cell) => cell.ready)),
    update: (...changed) => {
      for (const row of rows) row.update(...changed)
    },
    destroy: () => {
      for (const cell of cells) cell.destroy()
    },
  }
}

interface Drawn {
  readonly subject: PreviewSubject
  readonly vatom: unknown
  readonly children: readonly unknown[]
  readonly addressOf: (url: string) => string | undefined
}

function drawRow({ subject, vatom, children, addressOf }: Drawn, viewMode: string): Row {
  const faces = subject.faces.map(({ document }) => document)
  const differs = element('p', { class: 'differs', 'aria-live': 'polite' })
  const say = (now: unknown, inside: readonly unknown[]) => {
    const found = differencesOf({ platform: 'web', viewMode, vatom: now, children: inside, faces })
    differs.hidden = found.length === 0
    differs.textContent = `Not as on web: ${found.map(({ platform, shows }) => `${platformNames[platform]} shows ${shows}`).join('; ')}`
  }
  const cells = viewerPlatforms.map((platform) => {
    const screen = element('div', { class: 'screen' })
    const area = element('div', { class: 'area' })
    screen.append(area)
    const drawn = drawFace(area, { platform, viewMode, vatom, children, faces, resolveResource: addressOf })
    const text = element('div', { class: 'facts' })
    const facts = () => describe({ text, area, drawn, subject })
    facts()
    const device = element('div', { class: 'device', 'data-platform': platform, 'data-mode': viewMode }, screen)
    const caption = element('div', { class: 'caption' }, element('h4', {}, platformNames[platform]), text)
    const cell = element('li', { class: drawn.plan.face === undefined ? 'cell faceless' : 'cell' }, device, caption)
    return { drawn, facts, cell }
  })
  say(vatom, children)
  const heading = element('h3', {}, viewMode)
  return {
    element: element(
      'section',
      { class: 'row', 'data-mode': viewMode, 'aria-label': viewMode },
      heading,
      element('ul', { class: 'cells' }, ...cells.map(({ cell }) => cell)),
      differs,
    ),
    cells: cells.map(({ drawn }) => drawn),
    update(now, inside) {
      for (const { drawn, facts } of cells) {
        drawn.update(now, inside)
        facts()
      }
      say(now, inside)
    },
  }
}

interface Described {
  readonly text: HTMLElement
  /** Where the face is drawn. */
  readonly area: HTMLElement
  readonly drawn: DrawnFace
  readonly subject: PreviewSubject
}

/** Writes which face is drawn and why, what it shows, and what is to note about it; what cannot be loaded, once that is known. */
function describe({ text, area, drawn, subject }: Described): void {
  const { plan } = drawn
  writeFacts(text, plan, subject)
  void drawn.ready.then(() => {
    const fault = plan === drawn.plan && plan.drawing.kind !== 'fault' && faultIn(area)
    if (fault) text.querySelector('.shows')?.replaceWith(element('p', { class: 'shows fault unloaded' }, fault))
  })
}

function writeFacts(text: HTMLElement, plan: FacePlan, { faces }: PreviewSubject): void {
  const { selection, drawing, notes } = plan
  const picked = selection.face === undefined ? undefined : faces[selection.face]
  const why = selection.considered.find((one) => one.picked)?.why
  const passed = selection.considered.filter((one) => !one.picked)
  const isFault = drawing.kind === 'fault'
  text.replaceChildren(
    element('p', { class: isFault ? 'shows fault' : 'shows' }, describeDrawing(drawing)),
    ...(picked ? [element('p', { class: 'why' }, element('code', {}, picked.place), `, picked: ${why ?? ''}`)] : []),
    ...notes.map((note) => element('p', { class: 'note' }, note)),
    ...(passed.length > 0
      ? [
          element(
            'details',
            {},
            element('summary', {}, `${passed.length} not picked`),
            element(
              'ul',
              {},
              ...passed.map(({ face, why: reason }) =>
                element('li', {}, element('code', {}, faces[face]?.place ?? ''), ` ${reason}`),
              ),
            ),
          ),
        ]
      : []),
  )
}
