import type { Host } from '../../src/cli/host.ts'
import { main } from '../../src/cli/main.ts'
import { type Listening, openService, type Service, type ServiceOptions } from '../../src/server/service.ts'
import { newFolder, writeFiles } from './folders.ts'
import { hostWith } from './host.ts'
import { Capture } from './streams.ts'
import type { Run } from './vatom.ts'

/** What a test looks at while a service is served. */
export type Look = (service: Service, listening: Listening) => Promise<unknown>

export interface Program {
  readonly command: readonly string[]
  readonly env: Host['env']
}

/** A machine on which `serve` opens services of its own. */
export function serving({ pages, tty = false }: { readonly pages?: string; readonly tty?: boolean } = {}) {
  const home = newFolder()
  const opened: ServiceOptions[] = []
  const programs: Program[] = []
  const browsed: string[] = []

  /** Runs a command line; a service that listens is ended when it was looked at, and so is a program. */
  async function vatom(
    args: readonly string[],
    look: Look = async () => {},
    env: Host['env'] = {},
    code = 0,
  ): Promise<Run> {
    const interrupted = new AbortController()
    let looked: Promise<unknown> | undefined
    let current: { service: Service; listening: Listening } | undefined
    const open = async (options: ServiceOptions): Promise<Service> => {
      opened.push(options)
      const service = await openService({ ...options, scryptCost: 16 })
      const listen: Service['listen'] = async (address) => {
        const listening = await service.listen(address)
        current = { service, listening }
        return listening
      }
      return { ...service, listen }
    }
    const stdout = new Capture(tty)
    const stderr = new Capture(tty)
    const host = hostWith({
      stdout,
      stderr,
      env,
      cwd: home,
      home,
      pages,
      openBrowser: (url) => browsed.push(url),
      termination: () => {
        if (current) looked = look(current.service, current.listening).finally(() => interrupted.abort())
        return interrupted.signal
      },
      runProgram: async (command, given) => {
        programs.push({ command, env: given })
        if (current) await look(current.service, current.listening)
        return code
      },
      openService: open,
    })
    const exitCode = await main(args, host)
    await looked
    return { code: exitCode, out: stdout.text, err: stderr.text }
  }

  return {
    home,
    opened,
    programs,
    /** Addresses that were opened in a browser. */
    browsed,
    vatom,
    file: (name: string, content: string): string => {
      writeFiles(home, { [name]: content })
      return name
    },
  }
}

/** A request to a served service, as its publisher; answers the payload, or the error. */
export async function asked(service: Service, method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { 'app-id': service.appId, authorization: `Bearer ${service.localToken()}` }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer: unknown = JSON.parse((await service.inject({ method, path, headers, ...sent })).body)
  return Object(answer).payload ?? answer
}
