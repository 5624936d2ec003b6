import { randomUUID } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/v4'
import { codeOf, makeFolder } from '../../file-system.ts'
import { isAlive } from '../assets/orphans.ts'

/** The contents of a snapshot's own file; the copy itself is in a folder of another name. */
const Manifest = z.object({
  when_saved: z.string(),
  folder: z.string().regex(/^[\w-][\w.-]*$/),
  templates: z.number(),
  variations: z.number(),
  vatoms: z.number(),
  assets: z.number(),
})
export type Manifest = z.output<typeof Manifest>

const ending = '.json'
const unfinished = '.part'
const copyName = /^[\da-f-]{36}\.(\d+)(?:\.part)?$/

/**
 * A folder of copies. One is there from the moment that its own small file is, which names the folder it is in: so it is
 * put there, replaced and removed at once, and what a crash leaves behind belongs to none.
 */
export class Shelf {
  constructor(readonly path: string) {}

  /** The names of the copies. */
  names(): string[] {
    return this.#entries()
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
      .filter((name) => this.get(name) !== undefined)
      .sort()
  }

  /** What is known of a copy; undefined where there is none. */
  get(name: string): Manifest | undefined {
    try {
      return Manifest.parse(JSON.parse(readFileSync(this.#file(name), 'utf8')))
    } catch {
      return undefined
    }
  }

  /** A folder for a new copy, which is not made yet. What others left behind that crashed is removed. */
  begin(): string {
    makeFolder(this.path, 0o700)
    this.#removeLeftovers()
    return `${randomUUID()}.${process.pid}`
  }

  /** Where a copy's folder is. */
  place(folder: string): string {
    return join(this.path, folder)
  }

  /** Names a copy that is complete; false where the name is taken and its copy is not to be replaced. */
  put(name: string, manifest: Manifest, { replace }: { readonly replace: boolean }): boolean {
    const draft = this.place(`${manifest.folder}${unfinished}`)
    writeFileSync(draft, JSON.stringify(manifest), { mode: 0o600, flush: true })
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
      rmSync(draft, { force: true })
    }
  }

  /** Takes a copy away. */
  remove(name: string): void {
    const manifest = this.get(name)
    rmSync(this.#file(name), { force: true })
    if (manifest) this.discard(manifest.folder)
  }

  /** Removes the folder of a copy that has no name. */
  discard(folder: string): void {
    rmSync(this.place(folder), { recursive: true, force: true })
  }

  /** Processes are checked before names: one that ended in between had named its copy by then. */
  #removeLeftovers(): void {
    const abandoned = this.#entries().filter((name) => {
      const [, pid] = copyName.exec(name) ?? []
      return pid !== undefined && !isAlive(Number(pid))
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
