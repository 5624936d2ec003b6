import { describeDrawing, type Fault } from '../drawing.ts'
import { addPicture, type Drawn, type Stage, styled } from './stage.ts'

const namespace = 'http://www.w3.org/2000/svg'

/** What a viewer shows if it cannot show the face; the reason is its tooltip and its name for screen readers. */
export function drawFault(fault: Fault, stage: Stage): Drawn {
  const text = describeDrawing({ kind: 'fault', fault })
  const cover = styled('div', { position: 'absolute', inset: '0' })
  cover.setAttribute('role', 'img')
  cover.setAttribute('aria-label', text)
  cover.title = text
  const ready = fault.backdrop ? addPicture(fault.backdrop, stage).catch(() => undefined) : Promise.resolve()
  if (fault.shows !== 'blank') cover.append(signs[fault.shows](stage.host().platform))
  stage.element.append(cover)
  return { ready, destroy: () => {} }
}

/** iOS puts its sign of an error at the left, the others at the right. */
const signs: Readonly<Record<'error' | 'loading', (platform: string) => SVGElement>> = {
  error: (platform) =>
    sign(
      [
        ['path', { d: 'M10 1 19 18H1Z', fill: '#ffcc4d', stroke: '#231f20', 'stroke-width': '1' }],
        ['path', { d: 'M10 7v5m0 2v1.6', stroke: '#231f20', 'stroke-width': '1.6' }],
      ],
      { position: 'absolute', top: '8px', [platform === 'ios' ? 'left' : 'right']: '8px' },
    ),
  loading: () =>
    sign(
      [4, 10, 16].map((x) => ['circle', { cx: String(x), cy: '10', r: '2', fill: '#808080' }]),
      { position: 'absolute', top: 'calc(50% - 10px)', left: 'calc(50% - 10px)' },
    ),
}

type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>]

function sign(shapes: readonly Shape[], style: Partial<CSSStyleDeclaration>): SVGElement {
  const svg = shape(['svg', { viewBox: '0 0 20 20', width: '20', height: '20', 'aria-hidden': 'true' }])
  Object.assign(svg.style, style)
  svg.append(...shapes.map(shape))
  return svg
}

function shape([tag, attributes]: Shape): SVGElement {
  const element = document.createElementNS(namespace, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  if (!(element instanceof SVGElement)) throw new Error(`${tag} is no shape`)
  return element
}
