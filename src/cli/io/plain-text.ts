import { stripVTControlCharacters } from 'node:util'
import { type Line, render } from './text.ts'

/** A line as text without colours. */
export const plainText = (line: Line): string => stripVTControlCharacters(render(line))
