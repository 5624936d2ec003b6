import { hostOf } from '../../contract/api/loopback.ts'
import { codeOf } from '../../file-system.ts'
import type { Listening, Service } from '../../server/service.ts'
import type { Context } from '../context.ts'
import { exit, Failure, Reported, usage } from '../failure/failure.ts'
import type { Host } from '../host.ts'
import { styled } from '../io/text.ts'

/** The words of the command behind `--`, if there is one. */
export type Command = readonly string[] | undefined

/** The command behind `--`. Arguments before it are a usage error. */
export function commandOf(words: readonly string[], { rest }: Pick<Context, 'rest'>): Command {
  const before = words.length - (rest?.length ?? 0)
  if (before > 0)
    throw usage(`serve takes no argument ${words[0]}`, 'put a command after --, for example: vatom serve -- npm test')
  if (rest?.length === 0) throw usage('A command is missing after --', 'for example: vatom serve -- npm test')
  return rest
}

/** Runs a command that uses a service; throws Reported with its exit code if that is not 0. */
export async function runBeside(
  command: NonNullable<Command>,
  service: Service,
  { baseUrl }: Listening,
  { host, output }: Context,
): Promise<void> {
  output.note(styled`vAtom service at ${baseUrl} for ${command[0] ?? ''}`)
  const env = await environmentFor(service, baseUrl, host.env)
  host.signal.throwIfAborted()
  const code = await host.runProgram(command, env).catch((cause: unknown) => {
    throw notStarted(command[0] ?? '', cause)
  })
  if (code !== 0) throw new Reported(code)
}

/** The environment with the service's address and session, for which no proxy is asked, without variables that name another service. */
async function environmentFor(service: Service, baseUrl: string, env: Host['env']): Promise<Host['env']> {
  const { VATOM_CONTEXT: _, VATOM_ACCESS_TOKEN: __, ...others } = env
  return {
    ...others,
    VATOM_BASE_URL: baseUrl,
    VATOM_APP_ID: service.appId,
    VATOM_REFRESH_TOKEN: (await service.localSession()).refresh_token,
    VATOM_PUBLISHER: service.publisher.fqdn,
    ...withoutProxy(baseUrl, env),
  }
}

/** What has programs reach an address without a proxy, as each spells it; one of the two that is not set is as the other. */
function withoutProxy(baseUrl: string, { NO_PROXY, no_proxy }: Host['env']): Host['env'] {
  const host = hostOf(new URL(baseUrl))
  const withHost = (hosts = '') => {
    // An asterisk stands for all hosts only where it stands alone.
    if (hosts.trim() === '*') return hosts
    return hosts.trim() === '' ? host : `${hosts},${host}`
  }
  return { NO_PROXY: withHost(NO_PROXY ?? no_proxy), no_proxy: withHost(no_proxy ?? NO_PROXY) }
}

const unknown: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ERR_INVALID_ARG_VALUE']

function notStarted(file: string, cause: unknown): Failure {
  const code = codeOf(cause)
  if (unknown.includes(code))
    return new Failure('command_not_found', exit.notFound, `There is no command ${JSON.stringify(file)}`, {
      hint: 'check that it is installed and on the PATH; for shell syntax, start a shell: vatom serve -- sh -c "…"',
      cause,
    })
  return new Failure('command_not_executable', exit.notExecutable, `${file} cannot be run: ${code ?? cause}`, {
    hint: 'check that it may be executed: ls -l',
    cause,
  })
}
