import { suggest } from '../../contract/schema/suggest.ts'
import { globalOptions } from '../global-options.ts'
import type { Host } from '../host.ts'
import { environment } from '../manual/environment.ts'

const prefix = 'VATOM_'

/** Says of each variable that is set and not read why, or what is probably meant. */
export const mistakenVariables = (env: Host['env']): string[] => [...unknownVariables(env), ...unusedToken(env)]

/** The session that a run does not use, because an access token is set as well. */
const unusedToken = (env: Host['env']): string[] =>
  env.VATOM_ACCESS_TOKEN && env.VATOM_REFRESH_TOKEN
    ? ['VATOM_REFRESH_TOKEN is not read: VATOM_ACCESS_TOKEN is set as well, and counts first']
    : []

/** What others set: a version to install, and what Kubernetes says in each pod of a service that is named vatom. */
const foreign = /^VATOM_(VERSION|SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP)(_\w+)?)?)$/

/** Says of each variable that nothing reads, such as VATOM_URL, what is probably meant, if that is known. */
export function unknownVariables(env: Host['env']): string[] {
  const known = environment.map(({ name }) => name).filter((name) => name.startsWith(prefix))
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && env[name] && !known.includes(name) && !foreign.test(name))
    .map((name) => `${name} is not read${remedyFor(name, known, env)}`)
}

function remedyFor(name: string, known: readonly string[], env: Host['env']): string {
  if (name === `${prefix}PASSWORD`) return ': vatom login --password-stdin takes a password'
  const option = optionOf(name)
  if (option !== undefined) return `: give ${option}`
  const endingWith = (word: string | undefined) => known.find((one) => lastWord(one) === word)
  // What all begin with is no likeness.
  const near = suggest(withoutPrefix(name), known.map(withoutPrefix))
  const meant =
    (near && prefix + near) ??
    endingWith(lastWord(name)) ??
    known.find((one) => one.startsWith(`${name}_`)) ??
    endingWith(suggest(lastWord(name), known.map(lastWord)))
  if (meant === undefined) return ''
  return `: did you mean ${meant}${env[meant] ? ', which is set as well' : ''}?`
}

/** The option of every command that a variable has the name of. */
function optionOf(name: string): string | undefined {
  const flag = `--${withoutPrefix(name).toLowerCase().replaceAll('_', '-')}`
  return globalOptions().find(({ long }) => long === flag)?.long
}

const withoutPrefix = (name: string) => name.slice(prefix.length)

const lastWord = (name: string) => name.slice(name.lastIndexOf('_'))
