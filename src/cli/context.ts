import { defaults } from '../contract/defaults.ts'
import { GitReading } from '../documents/load/git-reading.ts'
import type { CommandLine } from './command-line.ts'
import { type Dirs, dirsOf, relativeBases } from './dirs.ts'
import { commandsForService } from './failure/hint-commands.ts'
import type { Globals } from './globals.ts'
import type { Host } from './host.ts'
import { createOutput, type Output } from './io/output.ts'
import { createPrompt, type Prompt } from './io/prompt.ts'
import { readStdin } from './io/stdin.ts'
import { styled } from './io/text.ts'
import { createWarnings, printWarnings, type Warnings } from './io/warnings.ts'
import { configStore, credentialStore, type Store } from './service/config.ts'
import type { Connection, ConnectOptions } from './service/connect.ts'
import type { Config, Credentials } from './service/saved.ts'
import type { Target } from './service/target.ts'

/** What a command works with; light things are values, costly ones are made on first use. */
export interface Context extends Pick<CommandLine, 'typed' | 'rest'> {
  readonly host: Host
  readonly globals: Globals
  readonly output: Output
  readonly prompt: Prompt
  /** Warnings of the service that are not printed yet. */
  readonly warnings: Warnings
  readonly dirs: Dirs
  readonly config: Store<Config>
  readonly credentials: Store<Credentials>
  /** The service that was chosen, as it is said and compared. To talk to it, ask for `service` or a connection. */
  target(): Promise<Target>
  /** The service this run talks to. Throws a usage error in a pipeline where none was chosen. */
  service(): Promise<Target>
  /** Says of each variable that is set and not read what is probably meant; none where the run has said it already. */
  takeMistaken(): Promise<readonly string[]>
  /** Whether nothing is to be written. */
  readonly dryRun: boolean
  /** From now on nothing is written: writes to the service are thrown as what they would do, and nothing is asked. */
  startDryRun(): void
  /** A connection to it, which `service` refuses, too. */
  connect(): Promise<Connection>
  /** What the run has read of git repositories, and may still read. */
  readonly git: GitReading
  /** Standard input, read once. */
  stdin(): Promise<Uint8Array>
  /** Says once on stderr what a change is made to. Throws as `service` does. */
  announce(): Promise<void>
  /** Prints the warnings that are left, and closes what was opened. */
  close(): Promise<void>
}

/** Most commands that read and check files never choose a service. */
const targets = () => import('./service/target.ts')

export async function createContext(
  host: Host,
  globals: Globals,
  { typed, rest }: Pick<CommandLine, 'typed' | 'rest'>,
): Promise<Context> {
  const dirs = dirsOf(host)
  const config = configStore(dirs.config)
  const credentials = credentialStore(dirs.config)
  let dryRun = false
  let git: GitReading | undefined
  const isDry = () => dryRun
  const output = await createOutput(host, {
    json: globals.json === true,
    quiet: globals.quiet === true,
    color: globals.color,
    isDry,
    pager: globals.pager,
    hint: commandsForService(globals),
  })
  for (const [name, value] of relativeBases(host))
    output.warn(styled`${name} is not used, because it is no absolute path: ${value}`)
  const target = once(async () => {
    const { chooseTarget, warnedOf } = await targets()
    return warnedOf(await chooseTarget(globals, host.env, config.read), { output })
  })
  const service = async () => (await targets()).refuseUnchosen(await target(), host.env)
  let mistakenTaken = false
  const takeMistaken = async () => {
    if (mistakenTaken) return []
    mistakenTaken = true
    return (await import('./service/mistaken-variables.ts')).mistakenVariables(host.env)
  }
  const warnings = createWarnings()
  const options = { host, globals, output, dirs, credentials, onWarnings: warnings.receive }
  const connection = once(async () => connectAndRemember(await target(), options, config))
  const dryConnection = once(async () =>
    (await import('./dry-run/connection.ts')).withoutWrites(await connection(), output),
  )
  return {
    host,
    globals,
    output,
    prompt: createPrompt(host, globals, isDry),
    warnings,
    dirs,
    typed,
    rest,
    config,
    credentials,
    target,
    service,
    takeMistaken,
    get dryRun() {
      return dryRun
    },
    startDryRun: () => {
      dryRun = true
    },
    connect: async () => {
      const { isDefault } = await targets()
      if (isDefault(await service())) for (const mistake of await takeMistaken()) output.warn(mistake)
      return dryRun ? dryConnection() : connection()
    },
    get git() {
      git ??= new GitReading(host)
      return git
    },
    stdin: once(() => readStdin(host)),
    announce: once(async () => {
      const { announce } = await import('./service/announce.ts')
      announce(await service(), { host, globals, output })
    }),
    close: async () => {
      printWarnings(warnings.take(), output)
      if (connection.started())
        await connection().then(
          (open) => open.close(),
          () => {},
        )
    },
  }
}

/** Does work when it is first asked for, and gives that result to all who ask. */
export function once<T>(make: () => Promise<T>): (() => Promise<T>) & { started: () => boolean } {
  let made: Promise<T> | undefined
  const get = () => {
    made ??= make()
    return made
  }
  return Object.assign(get, { started: () => made !== undefined })
}

/** Stores the local service's publisher, so that a check knows it without opening the service. */
async function connectAndRemember(target: Target, options: ConnectOptions, config: Store<Config>): Promise<Connection> {
  const { connect } = await import('./service/connect.ts')
  const connection = await connect(target, options)
  if (target.kind === 'local') await rememberLocalPublisher(config, connection.publisher)
  return connection
}

export async function rememberLocalPublisher(config: Store<Config>, publisher: string | undefined): Promise<void> {
  const known = await config.read()
  if (publisher === undefined || publisher === (known.local_publisher ?? defaults.publisher)) return
  await config.update((now) => ({ ...now, local_publisher: publisher }))
}
