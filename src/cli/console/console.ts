import { UnreachableError } from '../../client/errors.ts'
import { localPrefix } from '../../contract/api/local-routes.ts'
import { consolePaths } from '../../contract/console.ts'
import { defaults } from '../../contract/defaults.ts'
import { at } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { Context } from '../context.ts'
import { localServiceOptions } from '../dirs.ts'
import { exit, Failure, notBuilt, usage } from '../failure/failure.ts'
import { untilEnded } from '../interruption.ts'
import { styled } from '../io/text.ts'
import { opensBrowser } from '../open-links.ts'
import { localService, servingLocal } from '../service/running.ts'
import { flagsOf, isElsewhere, type NetworkTarget } from '../service/target.ts'

export interface ConsoleOptions {
  /** Given, it is not asked whether a service runs already. */
  readonly port?: number
  readonly open: boolean
}

/** Opens the console of the service that the run uses; on the local context, of one that it serves until Ctrl-C. */
export async function openConsole(options: ConsoleOptions, context: Context): Promise<void> {
  const target = await context.service()
  if (isElsewhere(target))
    throw usage(
      'console is for a service on this machine, but this command uses another',
      'for the local data: vatom console --context local',
    )
  if (target.kind === 'network') return show(await linkOfTarget(target, context), options, context)
  const running = options.port === undefined ? await linkOfLocal(context) : undefined
  if (running === undefined) await serveLocal(options, context)
  else show(running, options, context)
}

/** A link to a service that serves the data of the local context. What serves other data is named, and not used. */
async function linkOfLocal(context: Context): Promise<string | undefined> {
  const serving = servingLocal(context.dirs)
  if (serving) return unlessUnreachable(linkAt(serving.baseUrl, context))
  if (await unlessUnreachable(answersAt(localService.baseUrl, context)))
    context.output.note(
      styled`The service at ${localService.baseUrl} has other data; its console: vatom console ${flagsOf(localService)}`,
    )
  return undefined
}

function show(url: string, { open }: ConsoleOptions, context: Context): void {
  const { host, output } = context
  if (output.json) output.record({ url })
  else output.result({ url }, () => [url])
  output.note(styled`The link can be used once`)
  if (open && opensBrowser(context)) host.openBrowser(url)
}

async function linkOfTarget({ baseUrl }: NetworkTarget, context: Context): Promise<string> {
  const url = await linkAt(baseUrl, context)
  if (url !== undefined) return url
  throw new Failure('no_console', exit.refused, `There is no console at ${baseUrl}`, {
    hint: 'start it with this version, and without --no-console: vatom serve',
  })
}

/** Asks a service that runs for a link; undefined if none answers with a link to itself. */
async function linkAt(baseUrl: string, context: Context): Promise<string | undefined> {
  const url = at(await answerOf(baseUrl, 'POST', consolePaths.links, context), 'payload', 'url')
  return typeof url === 'string' && url.startsWith(`${baseUrl}/?key=`) ? url : undefined
}

/** Whether a service of this tool answers at an address. */
const answersAt = async (baseUrl: string, context: Context): Promise<boolean> =>
  at(await answerOf(baseUrl, 'GET', `${localPrefix}health`, context), 'payload', 'status') === 'ok'

/** What is answered at an address, as JSON; undefined if it is no JSON. */
async function answerOf(baseUrl: string, method: 'GET' | 'POST', path: string, context: Context): Promise<unknown> {
  const { host, globals } = context
  const { networkTransport } = await import('../../client/network.ts')
  const timeout = Math.ceil(globals.timeout * 1000)
  const { send, close } = await networkTransport({ baseUrl, timeout, signal: host.signal, env: host.env })
  try {
    return parseJson((await send({ method, path, headers: {} })).body)
  } finally {
    await close()
  }
}

/** A result; undefined if nothing answered. */
const unlessUnreachable = <T>(result: Promise<T>): Promise<T | undefined> =>
  result.catch((error: unknown) => {
    if (error instanceof UnreachableError) return undefined
    throw error
  })

async function serveLocal(options: ConsoleOptions, context: Context): Promise<void> {
  const { host, dirs, output } = context
  const { pages } = host
  if (pages === undefined) throw notBuilt('console')
  const service = await host.openService({
    ...localServiceOptions(dirs),
    ...{ clock: host.now, pages, servedAt: servingLocal(dirs)?.baseUrl },
  })
  try {
    const { consoleLink } = await service.listen({ host: defaults.host, port: options.port ?? 0 })
    if (consoleLink) show(consoleLink(), options, context)
    output.note(styled`It shows the data of the local context; requests of commands are not listed. Ctrl-C ends it`)
    await untilEnded(host)
  } finally {
    await service.close()
  }
}
