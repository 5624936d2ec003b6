import type { CatalogComparison, ConsoleCatalog, ServedAs } from '../../contract/console.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { serviceVariables } from '../service/target.ts'

/** Milliseconds between two looks at the files. */
const pause = 300

/** The files of a catalog that the console compares with its service, as `vatom plan` does. */
export class CatalogFiles implements ConsoleCatalog {
  readonly #paths: readonly string[]
  readonly #context: Context
  readonly #watching = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #version: string | undefined
  #comparing: Promise<unknown> = Promise.resolve()
  /** The next comparison of each user. */
  readonly #next = new Map<string, Promise<CatalogComparison>>()

  constructor(paths: readonly string[], context: Context) {
    this.#paths = paths
    this.#context = context
  }

  /** One after the other; those who ask as the same user while one is made share the next. */
  compare = (service: ServedAs): Promise<CatalogComparison> => {
    const known = this.#next.get(service.user)
    if (known) return known
    const next = this.#comparing.then(async () => {
      this.#next.delete(service.user)
      // Before the files are compared: a look finds what changes from now on.
      this.#version ??= await this.#read().catch(() => undefined)
      return { paths: this.#paths, plan: await this.#plan(service) }
    })
    this.#next.set(service.user, next)
    this.#comparing = next.catch(() => {})
    return next
  }

  watch = (changed: () => void): (() => void) => {
    this.#watching.add(changed)
    this.#timer ??= setTimeout(() => void this.#look(), pause).unref()
    return () => this.#watching.delete(changed)
  }

  async #plan({ baseUrl, appId, accessToken }: ServedAs): Promise<unknown> {
    const { host } = this.#context
    const { main } = await import('../main.ts')
    let text = ''
    const stdout = {
      write: (part: string | Uint8Array) => (text += typeof part === 'string' ? part : Buffer.from(part)),
    }
    // What people read of it is in the JSON, too.
    const stderr = { write: () => true }
    const env = {
      ...host.env,
      ...Object.fromEntries(serviceVariables(host.env).map((name) => [name, undefined])),
      VATOM_PUBLISHER: undefined,
      VATOM_ACCESS_TOKEN: accessToken,
    }
    await main(['plan', ...this.#paths, '--json', '--base-url', baseUrl, '--app-id', appId], {
      ...host,
      env,
      stdout,
      stderr,
    })
    return parseJson(text)
  }

  async #look(): Promise<void> {
    const version = await this.#read().catch(() => this.#version)
    if (this.#version !== undefined && version !== this.#version) for (const changed of this.#watching) changed()
    this.#version = version
    this.#timer = this.#watching.size > 0 ? setTimeout(() => void this.#look(), pause).unref() : undefined
  }

  async #read(): Promise<string> {
    const { fileVersions } = await import('../preview/catalog.ts')
    return JSON.stringify(await fileVersions(this.#paths, this.#context.host))
  }
}

/** The catalog of `serve --catalog`. Throws a usage error for a path at which nothing is. */
export async function catalogFiles(
  paths: readonly string[],
  hasConsole: boolean,
  context: Context,
): Promise<CatalogFiles> {
  if (!hasConsole) throw usage('--catalog is for the console', 'serve it, without a command and without --no-console')
  if (paths.includes('-')) throw usage('--catalog reads no standard input', 'name a folder or file: --catalog PATH')
  const { cwd } = context.host
  const { mayBeInput } = await import('../../documents/load/inputs.ts')
  const absent = paths.find((path) => !mayBeInput(path, cwd))
  if (absent !== undefined) {
    const { nearInput } = await import('../../documents/load/near-input.ts')
    throw usage(`--catalog ${absent}: no such file or folder`, nearInput(absent, cwd) ?? 'name a folder or file')
  }
  return new CatalogFiles(paths, context)
}
