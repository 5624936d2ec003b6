import { existsSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { defaults } from '../../contract/defaults.ts'
import { portOf } from '../../contract/schema/parsed-url.ts'
import { at } from '../../contract/schema/path.ts'
import { nameList } from '../../contract/schema/suggest.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import type { Loaded } from '../../documents/load/loaded.ts'
import { leadsTo } from '../../file-system.ts'
import type { Listening, Network, Service, ServiceOptions } from '../../server/service.ts'
import { temporaryPath } from '../../temporary-folders.ts'
import { type Context, rememberLocalPublisher } from '../context.ts'
import { localDatabase, localServiceOptions } from '../dirs.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import type { Host } from '../host.ts'
import { untilEnded } from '../interruption.ts'
import { styled } from '../io/text.ts'
import type { ChargesOption } from '../kinds/confirmations.ts'
import { soleValue, sourceOf } from '../kinds/load-checked.ts'
import { unlessUnusable } from '../service/config.ts'
import { givenPublisher } from '../service/publisher.ts'
import { localService, recordServing, type Served, servingLocal, servings } from '../service/running.ts'
import { flagsOf } from '../service/target.ts'
import { version } from '../version.ts'
import { type Command, commandOf, runBeside } from './command.ts'
import { type LogFormat, logFailure, logFormatOf, loggedOutput, logLine, requestLog } from './request-log.ts'

export interface ServeOptions extends ChargesOption {
  readonly host: string
  readonly port?: number
  readonly db?: string
  readonly memory?: boolean
  readonly seed?: readonly string[]
  readonly randomSeed?: string
  readonly scenario?: string
  readonly publisher?: readonly string[]
  readonly email?: string
  readonly compat: 'spec' | 'sdk'
  readonly strictSpec?: boolean
  readonly allowHost?: readonly string[]
  readonly trustLocal?: readonly Network[]
  readonly trustProxy?: readonly Network[]
  readonly allowHandlerHost?: readonly string[]
  readonly corsOrigin?: readonly string[]
  readonly callsPerMinute: number
  readonly maxMemory: number
  readonly contractUnits: number
  readonly fieldUnits: number
  readonly balance: number
  readonly console: boolean
  readonly catalog?: readonly string[]
  readonly exitWithParent?: boolean
  readonly log?: LogFormat
}

const inMemory = ':memory:'

/**
 * Serves until an interrupt or a request to terminate, then finishes open requests. With a command it serves while the
 * command runs, by default from memory and on a free port, and ends with its exit code.
 */
export async function serve(words: readonly string[], asked: ServeOptions, given: Context): Promise<void> {
  const format = logFormatOf(asked.log, given.rest !== undefined, given.output)
  if (format !== 'json') return await serveIn(given, words, asked, format)
  const context = { ...given, output: await loggedOutput(given) }
  await serveIn(context, words, asked, format).catch((error: unknown) => logFailure(error, context))
}

async function serveIn(
  context: Context,
  words: readonly string[],
  asked: ServeOptions,
  format: LogFormat,
): Promise<void> {
  checkPassword(context.host.env)
  const command = commandOf(words, context)
  const db = databaseOf(asked, command, context)
  const isLocal = db === localDatabase(context.dirs)
  const options = { ...asked, ...publishersOf(asked, db, context) }
  if (options.exitWithParent) await context.host.endWithParent()
  const catalog = await catalogOf(options, command, context)
  const seed = await seedOf(options, db, command, context)
  const scenario = await scenarioOf(options, context)
  checkRandomSeed(options, db)
  const requests = requestLog(format, context)
  const temporary = command || db === null ? temporaryPath('snapshots') : undefined
  const isNew = db !== null && !isThere(db)
  const service = await context.host.openService({
    ...optionsOf(options, context.host),
    ...(context.globals.appId !== undefined && { appId: context.globals.appId }),
    ...{ db: db ?? inMemory, isLocal, servedAt: isLocal ? servingLocal(context.dirs)?.baseUrl : undefined },
    ...(options.console && !command && consoleIn(context.host)),
    ...(catalog && { catalog }),
    ...(temporary !== undefined && { temporary }),
    ...(scenario && { scenario }),
    ...(requests && { log: requests.log }),
  })
  const isFirstUse = isLocal && isNew
  if (db !== null && !isFirstUse && format !== 'json') noteNews(service, { db, isNew }, context)
  warnOfUnusedPassword(service, context)
  let endRecord: (() => void) | undefined
  try {
    if (seed) await createFrom(seed, service, { options, db }, context)
    const controls = await service.testControls()
    controls.journal.clear()
    if (temporary !== undefined) await controls.rememberStart()
    for (const { address, prefix } of options.trustLocal ?? [])
      context.output.warn(
        styled`every machine of ${address}/${prefix} can read sign-in codes and change users, clock and data of this service`,
      )
    requests?.begin()
    const port = options.port ?? (command ? 0 : defaults.port)
    const listening = await service.listen({ host: options.host, port }).catch((error: unknown) => {
      throw (isLocal && servedAlready(error, port, context)) || error
    })
    if (isLocal) {
      endRecord = recorded({ baseUrl: listening.baseUrl, appId: service.appId }, context)
      await rememberLocalPublisher(context.config, service.publisher.fqdn).catch(unlessUnusable)
    }
    if (command) await runBeside(command, service, listening, context)
    else await serveUntilEnded(service, { listening, db, isLocal, format }, context)
  } finally {
    endRecord?.()
    await service.close()
    requests?.end()
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
  }
}

/** Notes that a database is new, or a publisher in it: a mistyped name makes one, too. */
function noteNews(
  { addedPublishers: added }: Service,
  { db, isNew }: { readonly db: string; readonly isNew: boolean },
  { output }: Context,
): void {
  if (isNew) output.note(styled`${db} is a new database`)
  else if (added.length > 0) output.note(styled`${db} had no publisher ${nameList(added)} before: added`)
}

/** Warns that the variable does not replace a password that a publisher has set: whoever sets another there believes so. */
function warnOfUnusedPassword({ withOwnPassword: own }: Service, { host, output }: Context): void {
  if (!host.env.VATOM_SERVE_PASSWORD || own.length === 0) return
  output.warn(
    styled`VATOM_SERVE_PASSWORD is not used for publishers that have set their own password, or have none since they signed in with a pin: ${nameList(own)}; to set another one, sign in with that password, or with the pin that vatom user reset-password ADDRESS sends, and run: vatom profile set --password-stdin`,
  )
}

/** The failure to listen at a port where another `vatom serve` serves the local data already; undefined for any other. */
function servedAlready(error: unknown, port: number, { dirs }: Context): Failure | undefined {
  const served = servings(dirs).find(({ baseUrl }) => portOf(new URL(baseUrl)) === String(port))
  if (served === undefined || at(error, 'code') !== 'port_taken') return undefined
  return new Failure(
    'port_taken',
    exit.refused,
    `the data of the local context is served at ${served.baseUrl} already`,
    {
      hint: 'to see it there: vatom console; to serve it at another port, too: vatom serve --port 0',
      cause: error,
    },
  )
}

/** Records for other commands where the local data is served, which it is also where that cannot be written, as on a full disk. */
function recorded(served: Served, { dirs, output }: Context): (() => void) | undefined {
  try {
    const remove = recordServing(served, dirs)
    return () => {
      try {
        remove()
      } catch (error) {
        output.note(styled`${messageOf(error)}; other commands see that this service has ended`)
      }
    }
  } catch (error) {
    output.note(styled`${messageOf(error)}; other commands find this service only with ${flagsOf(served)}`)
    return undefined
  }
}

/** As of a pipeline's secret that does not exist: the default password, which everybody knows, is not meant. */
function checkPassword({ VATOM_SERVE_PASSWORD }: Host['env']): void {
  if (VATOM_SERVE_PASSWORD?.trim() === '')
    throw usage('VATOM_SERVE_PASSWORD is set, but empty', 'give the publisher a password there, or unset it')
}

/** A lasting database would get ids that it has already. */
function checkRandomSeed({ randomSeed }: ServeOptions, db: string | null): void {
  if (randomSeed !== undefined && db !== null)
    throw usage('--random-seed is for services in memory', 'add --memory, or leave it out')
}

async function catalogOf({ catalog, console }: ServeOptions, command: Command, context: Context) {
  if (catalog === undefined) return undefined
  const { catalogFiles } = await import('./catalog-files.ts')
  return catalogFiles(catalog, console && !command, context)
}

async function seedOf(options: ServeOptions, db: string | null, command: Command, context: Context) {
  const { seed } = options
  if (seed === undefined) return undefined
  if (command && seed.includes('-'))
    throw usage('--seed cannot read standard input, which belongs to the command', 'name the files to seed from')
  const { loadSeed } = await import('./seed.ts')
  return loadSeed(seed, await firstPublisher(options, db, context), context)
}

/** Creates documents; asks before that costs units of data that lasts. */
async function createFrom(
  seed: Loaded,
  service: Service,
  { options, db }: { readonly options: ServeOptions; readonly db: string | null },
  context: Context,
): Promise<void> {
  const [{ createSeed }, { confirmSeedCharges }] = await Promise.all([import('./seed.ts'), import('./seed-charges.ts')])
  if (db !== null) await confirmSeedCharges(seed, service, options.acceptCharges, context)
  await createSeed(seed, options.seed ?? [], service, context)
}

/** The publisher whose documents are created: the first that is named, or else the first of a database that is there. */
async function firstPublisher(options: ServeOptions, db: string | null, { host }: Context): Promise<string> {
  const [named] = options.publisher ?? []
  if (named !== undefined || db === null || !isThere(db)) return named ?? defaults.publisher
  // With no option that changes it: the documents may be refused.
  const service = await host.openService({ db })
  await service.close()
  return service.publisher.fqdn
}

/** Whether a database is there: an empty file, as `mktemp` makes, becomes a new one. */
const isThere = (db: string): boolean => existsSync(db) && statSync(db).size > 0

/**
 * The publishers: those of --publisher; else, for a service in memory, the one that the environment names, and for the
 * data of the local context its publisher. A file of --db has those that it was made with.
 */
function publishersOf({ publisher }: ServeOptions, db: string | null, context: Context) {
  if (publisher !== undefined) return {}
  if (db === localDatabase(context.dirs)) return { publisher: localServiceOptions(context.dirs).publishers }
  const named = db === null ? givenPublisher(context) : undefined
  return named === undefined ? {} : { publisher: [named] }
}

async function scenarioOf({ scenario }: ServeOptions, context: Context) {
  if (scenario === undefined) return undefined
  const { loadScenario } = await import('../../documents/load/load-known.ts')
  return soleValue(await loadScenario(scenario, sourceOf(context)), context)
}

/** The database file, which has one name if it is that of the local context; null for one in memory. */
function databaseOf({ db, memory }: ServeOptions, command: Command, { host, dirs }: Context): string | null {
  if (db === inMemory) return null
  const local = localDatabase(dirs)
  if (db === undefined) return memory || command ? null : local
  const named = resolve(host.cwd, db)
  return leadsTo(named) === leadsTo(local) ? local : named
}

const optionsOf = (options: ServeOptions, { now, env }: Host): Omit<ServiceOptions, 'db'> => ({
  compat: options.compat,
  tariff: { contract: options.contractUnits, field: options.fieldUnits },
  balance: options.balance,
  maxMemory: options.maxMemory,
  callsPerMinute: options.callsPerMinute,
  clock: now,
  ...(options.randomSeed !== undefined && { seed: options.randomSeed }),
  ...(options.publisher && { publishers: options.publisher }),
  ...(options.email !== undefined && { email: options.email }),
  ...(env.VATOM_SERVE_PASSWORD && { password: env.VATOM_SERVE_PASSWORD }),
  ...(tracesIn(env) && { traces: true }),
  ...(env.VATOM_METRICS_TOKEN && { metricsToken: env.VATOM_METRICS_TOKEN }),
  ...(options.strictSpec && { strictSpec: true }),
  ...(options.allowHost && { allowHosts: options.allowHost }),
  ...(options.trustLocal && { trustedNetworks: options.trustLocal }),
  ...(options.trustProxy && { trustedProxies: options.trustProxy }),
  ...(options.allowHandlerHost && { handlerHosts: options.allowHandlerHost }),
  ...(options.corsOrigin && { corsOrigins: options.corsOrigin }),
})

/** The option with which a service has a console; none where what browsers load is not built. */
const consoleIn = ({ pages }: Host): Pick<ServiceOptions, 'pages'> => (pages === undefined ? {} : { pages })

/** Whether the environment names a collector of traces. */
const tracesIn = (env: Host['env']): boolean =>
  Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) && env.OTEL_SDK_DISABLED !== 'true'

/** The command that gives a link to the console of a service. */
const consoleCommand = (served: Served, isLocal: boolean): string =>
  isLocal && served.baseUrl === localService.baseUrl ? 'vatom console' : `vatom console ${flagsOf(served)}`

/** What is served where, and how its log is written. */
interface Serving {
  readonly listening: Listening
  readonly db: string | null
  readonly isLocal: boolean
  readonly format: LogFormat
}

async function serveUntilEnded(
  service: Service,
  { listening, db, isLocal, format }: Serving,
  context: Context,
): Promise<void> {
  const { appId, publisher, publishers } = service
  const isOne = publishers.length === 1
  const { host, output } = context
  const { baseUrl, wsUrl, consoleLink } = listening
  const address = { base_url: baseUrl, ws_url: wsUrl, app_id: appId, db }
  if (format === 'json') logLine('info', { event: 'start', version, ...address, publisher: publisher.fqdn }, context)
  const link = consoleLink?.()
  output.event(
    {
      ...{ event: 'ready', ...address, publisher, ...(!isOne && { publishers }) },
      ...(link !== undefined && { console_url: link }),
      // With the usual password, which everybody knows, anybody can sign in anyway.
      ...(db === null && publisher.password !== undefined && (await service.localSession())),
    },
    styled`vAtom service at ${baseUrl}, app id ${appId}\npublisher${isOne ? '' : 's'} ${publishers.map(({ email }) => email).join(', ')}${publisher.password === undefined ? '' : `, password ${publisher.password}`}\nevents at ${wsUrl}; Ctrl-C stops it`,
  )
  // Who reads a log must not sign in with it.
  if (link !== undefined && format !== 'json') {
    output.note(styled`console at ${link}`)
    output.note(styled`its link can be used once; for another: ${consoleCommand({ baseUrl, appId }, isLocal)}`)
  }
  await untilEnded(host)
}
