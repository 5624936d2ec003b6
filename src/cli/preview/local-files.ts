import { createHmac, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { previewPaths } from '../../contract/preview.ts'
import { isWithin, realPath } from '../../file-system.ts'

/** Types of files that resources can be. Others are not served. */
const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml',
  '.glb': 'model/gltf-binary',
  '.gltf': 'model/gltf+json',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.txt': 'text/plain; charset=utf-8',
}

/** A file that a document names, at its real path. */
interface LocalFile {
  readonly path: string
  readonly type: string
}

/** Whether the address of a resource is that of a file: a path, or `file:`. */
export const isLocal = (url: string): boolean =>
  url !== '' && (/^file:/i.test(url) || !/^([a-z][a-z\d+.-]*:|\/\/)/i.test(url))

/** The version of a file, which changes with its content; `missing` if there is none. */
export function versionOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() ? `${found.mtimeMs}-${found.size}` : 'missing'
}

/** The files that documents name. Only these are served, so that no address of a request leads to another file. */
export class LocalFiles {
  readonly #byAddress = new Map<string, LocalFile>()
  readonly #versions = new Map<string, string>()
  readonly #roots: readonly string[]
  readonly #secret: Buffer

  /** They are in these folders. Without the secret nobody guesses their addresses, which have no other protection. */
  constructor(roots: readonly string[], secret = randomBytes(32)) {
    this.#roots = roots
    this.#secret = secret
  }

  /** Every path that is named, with the version that it had. */
  get versions(): ReadonlyMap<string, string> {
    return this.#versions
  }

  at(address: string): LocalFile | undefined {
    return this.#byAddress.get(address)
  }

  /** Adds what a document names; answers its address on the page, or in a sentence why it is not served. */
  add(url: string, documentPath: string): { readonly address: string } | { readonly why: string } {
    const named = pathOf(url, documentPath)
    const version = named === undefined ? 'missing' : versionOf(named)
    if (named !== undefined) this.#versions.set(named, version)
    if (named === undefined || version === 'missing') return { why: `there is no file ${url}` }
    // Links are followed before it is looked at where a file is.
    const path = realPath(named)
    if (!this.#roots.some((root) => isWithin(root, path))) return { why: `${url} is outside the catalog` }
    const type = types[extname(path).toLowerCase()]
    if (type === undefined) return { why: `${url} is not an image, a sound, a video, a model or a text` }
    const id = createHmac('sha256', this.#secret).update(`${path}\0${version}`).digest('hex').slice(0, 24)
    const address = `${previewPaths.files}${id}`
    this.#byAddress.set(address, { path, type })
    return { address }
  }
}

function pathOf(url: string, documentPath: string): string | undefined {
  try {
    return /^file:/i.test(url) ? fileURLToPath(url) : resolve(dirname(documentPath), url)
  } catch {
    return undefined
  }
}
