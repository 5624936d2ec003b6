import type { Files, WireFile } from '../../contract/api/wire.ts'
import { textIn } from '../domain/file-text.ts'

/** A part of an upload, as far as it arrived. */
export interface SentPart {
  /** The name of the part in its form. */
  readonly field: string
  /** Undefined for a part that is no file. */
  readonly file?: string | undefined
  /** As its sender says. */
  readonly type: string
  /** Bytes. */
  readonly size: number
  /** The beginning of what it says; undefined where it is no text. */
  readonly text: string | undefined
  /** Whether there is more of it. */
  readonly isCut: boolean
}

/** Bytes that are kept of a part, and of all parts of an upload. */
const most = { part: 8192, all: 65_536 }

/** Parts without a file name that are kept of an upload, and bytes of one. */
export const keptFields = { fields: 50, fieldSize: most.part } as const

/** The parts of an upload, which are collected while it is read. */
export class SentParts {
  readonly #parts: (() => SentPart)[] = []
  #left = most.all

  /** All so far; undefined for none. */
  get all(): readonly SentPart[] | undefined {
    return this.#parts.length === 0 ? undefined : this.#parts.map((part) => part())
  }

  /** A file that is collected while it is read. */
  follow(file: WireFile, type = 'application/octet-stream'): WireFile {
    const { name, field = 'file' } = file
    const beginning: Uint8Array[] = []
    let length = 0
    let size = 0
    this.#parts.push(() => {
      const isCut = size > length
      return { field, file: name, type, size, text: textIn(Buffer.concat(beginning), isCut), isCut }
    })
    const see = (chunk: Uint8Array) => {
      size += chunk.length
      const wanted = this.#take(Math.min(chunk.length, most.part - length))
      if (wanted > 0) beginning.push(Buffer.from(chunk.subarray(0, wanted)))
      length += wanted
    }
    return { ...file, content: () => seen(file.content(), see) }
  }

  /** All files of an upload, each collected while it is read. */
  async *followAll(files: Files): AsyncGenerator<WireFile> {
    for await (const file of files) yield this.follow(file)
  }

  /** Adds a part that is no file. */
  add({ field, type, text, isCut }: Omit<SentPart, 'size' | 'file'> & { readonly text: string }): void {
    const size = Buffer.byteLength(text)
    const isKept = this.#take(size) === size
    const part: SentPart = { field, type, size, text: isKept ? text : '', isCut: isCut || !isKept }
    this.#parts.push(() => part)
  }

  /** How many of so many bytes can still be kept. */
  #take(bytes: number): number {
    const taken = Math.min(bytes, this.#left)
    this.#left -= taken
    return taken
  }
}

async function* seen(content: AsyncIterable<Uint8Array>, see: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    see(chunk)
    yield chunk
  }
}
