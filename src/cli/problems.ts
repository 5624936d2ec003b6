import { type Format, render, summary } from '../documents/render.ts'
import type { Loaded } from '../documents/types.ts'
import type { Output } from './output.ts'
import type { Paint } from './paint.ts'
import { type Line, Styled } from './text.ts'

type Found = Pick<Loaded, 'problems' | 'sources'>

/** Problems as lines for stderr, as a compiler shows them. */
export function problemLines({ problems, sources }: Found, { notePaint, noteColumns }: Output): Line[] {
  if (problems.length === 0) return []
  const text = render('text', problems, { paint: plainPaint(notePaint), width: noteColumns, sources })
  return [...ready(text), '', summary(problems)]
}

/** Problems as lines for stdout, in a format that another program reads. */
export const reportLines = ({ problems, sources }: Found, format: Format, { columns, paint }: Output): Line[] =>
  ready(render(format, problems, { paint: plainPaint(paint), width: columns, sources }))

/** The renderers escape what they show; their lines are ready to print. */
const ready = (text: string) =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => new Styled(line))

const plainPaint = (paint: Paint) => {
  const as = (style: keyof Paint) => (text: string) => paint[style](new Styled(text)).text
  return { red: as('red'), yellow: as('yellow'), blue: as('blue'), bold: as('bold') }
}
