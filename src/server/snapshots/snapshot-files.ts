import { randomUUID } from 'node:crypto'
import { linkSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/v4'
import { parseJson } from '../../contract/unknown-values.ts'
import { codeOf, fileMessage, makeFolder, removeOwn } from '../../file-system.ts'
import { ownPath } from '../../own-path.ts'
import { hasEnded, ownTag, tagPattern } from '../../processes.ts'
import { regularText } from '../../regular-file.ts'
import { ServiceFailure } from '../service-failure.ts'
import type { ServiceState } from './copy.ts'

/** The contents of a snapshot's own file; `folder` has the copy. */
const Manifest = z.object({
  when_saved: z.string(),
  folder: z.string().regex(/^[\w-][\w.-]*$/),
  templates: z.number(),
  variations: z.number(),
  vatoms: z.number(),
  assets: z.number(),
  /** Missing in copies of earlier versions. */
  users: z.number().optional(),
})
export type Manifest = z.output<typeof Manifest>

function textOf(file: string): string | undefined {
  try {
    return regularText(ownPath(file)) ?? ''
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const ending = '.json'
const unfinished = '.part'
const copyName = new RegExp(`^[\\da-f-]{36}\\.(${tagPattern})(?:\\.part)?$`)

/**
 * A folder of copies. A copy exists if there is a small file that names its folder: so it is added, replaced or removed
 * in one step, and what a crash leaves behind belongs to no copy.
 */
export class Shelf {
  constructor(
    /** As `ownPath` gives it. */
    readonly path: string,
    readonly log: ServiceState['log'],
  ) {}

  /** The names of the copies. */
  names(): string[] {
    return this.#entries()
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
      .filter((name) => this.get(name) !== undefined)
      .sort()
  }

  /**
   * The facts about a copy; undefined if there is none. Throws `snapshot_unusable` if its file is damaged: whose its folder
   * is, is not known then.
   */
  get(name: string): Manifest | undefined {
    const file = this.#file(name)
    const text = textOf(file)
    if (text === undefined) return undefined
    const found = Manifest.safeParse(parseJson(text))
    if (found.success) return found.data
    throw new ServiceFailure(
      'snapshot_unusable',
      `${file} is damaged: it does not describe a snapshot`,
      'restore that file; or delete it, and with the next save the snapshot is gone',
    )
  }

  /** The name of a folder for a new copy, not made yet. What crashed processes left behind is removed. */
  begin(): string {
    makeFolder(this.path, 0o700)
    this.#removeLeftovers()
    return `${randomUUID()}.${ownTag()}`
  }

  /** Where a copy's folder is. */
  place(folder: string): string {
    return join(this.path, folder)
  }

  /** Names a complete copy; false if the name is taken and `replace` is false. */
  put(name: string, manifest: Manifest, { replace }: { readonly replace: boolean }): boolean {
    const draft = this.place(`${manifest.folder}${unfinished}`)
    writeFileSync(draft, JSON.stringify(manifest), { mode: 0o600, flush: true, flag: 'wx' })
    try {
      const old = this.get(name)
      if (replace) renameSync(draft, this.#file(name))
      else linkSync(draft, this.#file(name))
      if (old) this.discard(old.folder)
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    } finally {
      this.#tidy(draft)
    }
  }

  remove(name: string): void {
    const manifest = this.get(name)
    rmSync(this.#file(name), { force: true })
    if (manifest) this.discard(manifest.folder)
  }

  /** Removes the folder of a copy without a name. */
  discard(folder: string): void {
    this.#tidy(this.place(folder))
  }

  /** Removes what belongs to no copy. What is done stays done where that fails: it is removed with what crashes leave. */
  #tidy(path: string): void {
    try {
      removeOwn(path)
    } catch (error) {
      this.log?.(`${path} is of no use any more, and is removed later: ${fileMessage(error)}`)
    }
  }

  /** Checks processes before names: one that ends in between has named its copy by then. */
  #removeLeftovers(): void {
    const abandoned = this.#entries().filter((name) => {
      const [, tag] = copyName.exec(name) ?? []
      return tag !== undefined && hasEnded(tag, this.place(name))
    })
    const named = new Set(this.names().map((name) => this.get(name)?.folder))
    for (const name of abandoned) if (!named.has(name)) this.discard(name)
  }

  #entries(): string[] {
    try {
      return readdirSync(this.path)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    }
  }

  #file(name: string): string {
    return join(this.path, `${name}${ending}`)
  }
}
