import { resolve } from 'node:path'
import { type Context, rememberLocalPublisher } from '../../context.ts'
import { localDatabase } from '../../dirs.ts'
import type { Host } from '../../host.ts'
import { styled } from '../../output/text.ts'

export interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly db?: string
  readonly memory?: boolean
  readonly publisher?: readonly string[]
  readonly email?: string
  readonly compat: 'spec' | 'sdk'
  readonly strictSpec?: boolean
  readonly allowHost?: readonly string[]
  readonly corsOrigin?: readonly string[]
  readonly contractUnits: number
  readonly fieldUnits: number
  readonly balance: number
}

/** Serves until it is interrupted or terminated, then answers what was asked and ends. */
export async function serve(options: ServeOptions, context: Context): Promise<void> {
  const { host, output } = context
  const db = databaseOf(options, context)
  const service = await host.openService({
    db: db ?? ':memory:',
    compat: options.compat,
    tariff: { contract: options.contractUnits, field: options.fieldUnits },
    balance: options.balance,
    clock: host.now,
    ...(!output.quiet && { log: (line: string) => output.note(line) }),
    ...(options.publisher && { publishers: options.publisher }),
    ...(options.email !== undefined && { email: options.email }),
    ...(host.env.VATOM_SERVE_PASSWORD && { password: host.env.VATOM_SERVE_PASSWORD }),
    ...(options.strictSpec && { strictSpec: true }),
    ...(options.allowHost && { allowHosts: options.allowHost }),
    ...(options.corsOrigin && { corsOrigins: options.corsOrigin }),
  })
  try {
    const { baseUrl, wsUrl } = await service.listen({ host: options.host, port: options.port })
    if (db === localDatabase(context.dirs)) await rememberLocalPublisher(context.config, service.publisher.fqdn)
    const { appId, publisher } = service
    output.event(
      { event: 'ready', base_url: baseUrl, ws_url: wsUrl, app_id: appId, db, publisher },
      ready(baseUrl, appId, publisher.email),
    )
    await ended(host)
  } finally {
    await service.close()
  }
}

const ready = (baseUrl: string, appId: string, email: string) =>
  styled`vAtom service at ${baseUrl}, app id ${appId}, publisher ${email}; Ctrl-C ends it`

/** The database file; null for one in memory. */
function databaseOf({ db, memory }: ServeOptions, { host, dirs }: Context): string | null {
  if (memory) return null
  return db === undefined ? localDatabase(dirs) : resolve(host.cwd, db)
}

/** Waits for Ctrl-C or a request to terminate. */
function ended({ signal, termination }: Host): Promise<void> {
  const any = AbortSignal.any([signal, termination()])
  return new Promise((resolve) => {
    if (any.aborted) resolve()
    else any.addEventListener('abort', () => resolve(), { once: true })
  })
}
