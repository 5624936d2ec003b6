import type { Pixels } from './sixel-text.ts'
import type { PictureTerminal } from './terminal.ts'

/** A picture, and its size in pixels of a page. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** A PNG. */
  readonly png: Uint8Array
  /** Its pixels, at a size; undefined where nothing here can read them. */
  readonly pixels?: (width: number, height: number) => Promise<Pixels>
}

/** Characters that a picture takes at most. */
export interface Room {
  readonly columns: number
  readonly rows: number
}

/** Rows of a terminal that a picture takes at most, two less than it has: those of its name and of the next prompt. */
export const rowsFor = (most: number, { rows }: { readonly rows?: number }): number =>
  rows ? Math.max(1, Math.min(most, rows - 2)) : most

/** What shows a picture on a terminal, which then is at the beginning of a line; undefined where it cannot be shown. */
export async function pictureText(
  picture: Picture,
  terminal: PictureTerminal,
  room: Room,
): Promise<string | undefined> {
  const { cell, protocol } = terminal
  const scale = Math.min(1, (room.columns * cell.width) / picture.width, (room.rows * cell.height) / picture.height)
  const rows = Math.max(1, Math.floor((picture.height * scale) / cell.height))
  if (protocol === 'kitty') return kittyText(picture.png, rows)
  if (protocol === 'iterm2') return fileText(picture.png, rows)
  const height = rows * cell.height
  const width = Math.max(1, Math.round((picture.width * height) / picture.height))
  const pixels = await picture.pixels?.(width, height)
  if (pixels === undefined) return undefined
  return (await import('./sixel-text.ts')).sixelText(pixels)
}

/** Bytes of base64 that kitty takes in one sequence. */
const chunk = 4096

/** Kitty's graphics protocol: a PNG in pieces, without answers. */
function kittyText(png: Uint8Array, rows: number): string {
  const pieces =
    Buffer.from(png)
      .toString('base64')
      .match(new RegExp(`.{1,${chunk}}`, 'g')) ?? []
  const text = pieces.map((piece, index) => {
    const head = index === 0 ? `a=T,f=100,q=2,r=${rows},` : ''
    return `\u001b_G${head}m=${index < pieces.length - 1 ? 1 : 0};${piece}\u001b\\`
  })
  return `${text.join('')}\n`
}

/** The inline images of iTerm2. */
const fileText = (png: Uint8Array, rows: number): string =>
  `\u001b]1337;File=inline=1;size=${png.length};height=${rows};preserveAspectRatio=1:${Buffer.from(png).toString('base64')}\u0007\n`
