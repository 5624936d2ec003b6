import { suggest } from '../../contract/schema/suggest.ts'
import { globalOptions } from '../global-options.ts'
import type { Host } from '../host.ts'
import { environment } from '../manual/environment.ts'

const prefix = 'VATOM_'

/**
 * Says of each variable that is set and not read, such as VATOM_URL, which one is probably meant, unless that is set as
 * well; or that it is an option, as VATOM_TIMEOUT is.
 */
export function mistakenVariables(env: Host['env']): string[] {
  const known = environment.map(({ name }) => name).filter((name) => name.startsWith(prefix))
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && env[name] && !known.includes(name))
    .flatMap((name) => {
      const option = optionOf(name)
      if (option !== undefined) return [`${name} is not read: give ${option}`]
      const meant = known.find((one) => lastWord(one) === lastWord(name)) ?? suggest(name, known)
      return meant === undefined || env[meant] ? [] : [`${name} is not read: did you mean ${meant}?`]
    })
}

/** The option of every command that a variable has the name of; who sets a version means one to install. */
function optionOf(name: string): string | undefined {
  const flag = `--${name.slice(prefix.length).toLowerCase().replaceAll('_', '-')}`
  return globalOptions().find(({ long }) => long === flag && long !== '--version')?.long
}

const lastWord = (name: string) => name.slice(name.lastIndexOf('_'))
