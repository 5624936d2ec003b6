import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Env,
  type ProxyVariable,
  proxiesOf,
  proxyFault,
  shownProxy,
  variableOf,
  wayTo,
} from '../../client/proxies.ts'
import { hostOf } from '../../contract/api/loopback.ts'
import { portOf } from '../../contract/schema/parsed-url.ts'
import { plural } from '../../contract/schema/wording.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import { codeOf, existingPart } from '../../file-system.ts'
import { ownPath } from '../../own-path.ts'
import { ledgerFolder, ownersFolder, snapshotFolder } from '../dirs.ts'
import { servingFolder } from '../service/running.ts'
import { hasEnvironmentTokens, type Target } from '../service/target.ts'
import { type Check, fail, ok, warn } from './check.ts'

export const node: Check = async () => ok(`${process.version} on ${process.platform} ${process.arch}`)

/** Whether this machine can run the service itself; for one elsewhere, nothing needs it. */
export const sqlite: Check = async ({ host, target }) => {
  const chosen = await target().catch(() => undefined)
  const service = await host.openService({ db: ':memory:' }).catch((error: unknown) => {
    if (chosen?.kind === 'network' && codeOf(error) === 'sqlite_missing') return undefined
    throw error
  })
  if (service === undefined) return ok('none: only the service on this machine needs it')
  try {
    return ok(service.engine())
  } finally {
    await service.close()
  }
}

const notUsed = ok('not used: environment variables give the service and the session')

/** Whether the configuration can be read, and only by its owner, and written. */
export const configuration: Check = async ({ host, dirs, config, credentials }) => {
  if (hasEnvironmentTokens(host.env)) return notUsed
  await config.read()
  await credentials.read()
  const names = await namesIn(dirs.config)
  if (names === undefined) return ok(`${dirs.config} does not exist yet: no context is saved`)
  const ours = names.filter((name) => /^(config|credentials)\.json$/.test(name)).map((name) => join(dirs.config, name))
  const open = await openToOthers([dirs.config, ...ours])
  if (open.length > 0)
    return warn(`other users can read ${open.join(', ')}`, `chmod go= ${open.map((path) => `'${path}'`).join(' ')}`)
  if (await isWritable(dirs.config)) return ok(dirs.config)
  return warn(
    `${dirs.config} cannot be written to: login and context need it, and each command renews the session for itself`,
    'correct its permissions, or set VATOM_CONFIG_DIR',
  )
}

const isWritable = (folder: string): Promise<boolean> =>
  access(`${folder}/.`, constants.W_OK).then(
    () => true,
    () => false,
  )

async function openToOthers(paths: readonly string[]): Promise<string[]> {
  if (process.platform === 'win32') return []
  const modes = await Promise.all(paths.map(async (path) => ({ path, mode: (await stat(path)).mode })))
  return modes.filter(({ mode }) => (mode & 0o077) !== 0).map(({ path }) => path)
}

/** Whether a variable is set that is probably meant to be another one. */
export const variables: Check = async ({ takeMistaken }) => {
  const mistaken = await takeMistaken()
  return mistaken.length === 0 ? ok('none with a name that is not read') : warn(mistaken.join('; '))
}

/** The proxies of the environment, shown without their passwords, whether they accept connections, and which is used. */
export const proxies: Check = async ({ host: { env }, target }) => {
  const found = proxiesOf(env)
  const fault = proxyFault(env)
  if (fault) return fail(fault.message, fault.remedy)
  const failures = await Promise.all(found.map(unreachableProxy))
  const silent = failures.filter((failure) => failure !== undefined)
  const used = wayText(await target().catch(() => undefined), env)
  if (silent.length > 0) return warn([...silent, ...used].join('; '), 'correct the variable, or unset it')
  if (found.length === 0) return ok('none')
  const without = variableOf('NO_PROXY', env).value
  const shown = found.map(({ variable, value }) => `${variable} ${new URL(value).origin}`)
  const all = [...shown, ...(without ? [`not for ${without}`] : [])].join(', ')
  return ok([all, ...used].join('; '))
}

/** Through which proxy the service is reached, or why through none; nothing of the one in this process. */
function wayText(target: Target | undefined, env: Env): string[] {
  if (target?.kind !== 'network') return []
  const { origin } = new URL(target.baseUrl)
  const way = wayTo(target.baseUrl, env)
  return [
    'proxy' in way
      ? `${origin} is reached through ${way.proxy.variable}`
      : `${origin} is reached directly: ${way.direct}`,
  ]
}

/** Why a proxy accepts no connections; undefined for one that does. */
async function unreachableProxy(proxy: ProxyVariable): Promise<string | undefined> {
  const [{ connect }, { reasonOf }] = await Promise.all([import('node:net'), import('../../client/network.ts')])
  const url = new URL(proxy.value)
  const socket = connect({
    host: hostOf(url),
    port: Number(portOf(url)),
    timeout: proxyWait,
  })
  return new Promise((resolve) => {
    const end = (reason?: string) => {
      socket.destroy()
      resolve(reason && `the proxy ${shownProxy(proxy)}: ${reason}`)
    }
    socket
      .once('connect', () => end())
      .once('timeout', () => end(`no answer within ${proxyWait / 1000} s`))
      .once('error', (error) => end(reasonOf(error)))
  })
}

/** Milliseconds to wait for a proxy. */
const proxyWait = 3000

export const cache: Check = async ({ host, dirs }) => {
  if (hasEnvironmentTokens(host.env)) return notUsed
  try {
    if ((await namesIn(dirs.cache)) === undefined) return ok(`${dirs.cache} does not exist yet`)
    await access(dirs.cache, constants.W_OK)
    return ok(dirs.cache)
  } catch {
    return warn(
      `${dirs.cache} is no folder that can be read and written to: commands take longer to start`,
      'correct its permissions, or set VATOM_CACHE_DIR',
    )
  }
}

/** Whether it can be read which catalog owns what, and `apply` and the service on this machine can write. */
export const data: Check = async ({ dirs }) => {
  const remedy = 'correct its permissions, or set VATOM_DATA_DIR'
  const refused = [ledgerFolder, ownersFolder, snapshotFolder, servingFolder].flatMap((folder) =>
    refusedLink(folder(dirs)),
  )
  if (refused.length > 0) return fail(`${refused[0]}: commands that use this folder refuse it`, 'remove the link')
  const fault = await access(ownersFolder(dirs), constants.R_OK).then(() => undefined, codeOf)
  if (fault === 'EACCES')
    return fail(`${dirs.data} cannot be read: plan, pull, apply and the service on this machine need it`, remedy)
  const existing = existingPart(dirs.data)
  if (await isWritable(existing)) return ok(existing === dirs.data ? dirs.data : `${dirs.data} does not exist yet`)
  return warn(`${dirs.data} cannot be written to: apply and the service on this machine need it`, remedy)
}

/** Why a link on the way to a folder is not followed; none where each is. */
function refusedLink(folder: string): string[] {
  try {
    ownPath(folder)
    return []
  } catch (error) {
    return [messageOf(error)]
  }
}

/** The compiled code that is cached for later starts. */
export const codeCache: Check = async ({ host, dirs }) => {
  if (host.env.VATOM_CODE_CACHE === 'off') return ok('off')
  if (hasEnvironmentTokens(host.env)) return notUsed
  const folder = join(dirs.cache, 'code')
  const names = await namesIn(folder).catch(() => undefined)
  const files = names?.filter((name) => name.endsWith('.v8')) ?? []
  if (files.length === 0) return ok('empty')
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size))
  const { sizeText } = await import('../io/text.ts')
  return ok(`${plural(files.length, 'file')}, ${sizeText(sizes.reduce((a, b) => a + b, 0))}`)
}

/** Names in a folder; undefined where it does not exist. */
async function namesIn(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
