import { suggest } from '../../contract/schema/suggest.ts'
import type { Host } from '../host.ts'
import { environment } from '../manual/environment.ts'

const prefix = 'VATOM_'

/** Says of each variable that is set and not read, such as VATOM_URL, which one is probably meant, unless that is set as well. */
export function mistakenVariables(env: Host['env']): string[] {
  const known = environment.map(({ name }) => name).filter((name) => name.startsWith(prefix))
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && env[name] && !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((one) => lastWord(one) === lastWord(name)) ?? suggest(name, known)
      return meant === undefined || env[meant] ? [] : [`${name} is not read: did you mean ${meant}?`]
    })
}

const lastWord = (name: string) => name.slice(name.lastIndexOf('_'))
