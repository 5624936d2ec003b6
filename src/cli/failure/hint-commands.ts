import type { Globals } from '../globals.ts'
import { shellWord } from '../io/text.ts'
import { withHiddenUser } from '../service/shown-address.ts'
import { isWord, topics, type Word } from '../words.ts'

/** Words whose commands do the same whichever service is chosen. */
const withoutService: readonly Word[] = ['context', 'init', 'explain', 'schema', 'serve', 'completion', ...topics]

/** A command in a text, up to where the next one begins or the sentence goes on. */
const commands = /\bvatom (?<word>[\w-]+)[^;]*?(?=;|\bvatom [a-z]|$)/g

/** The flags that chose the service of this run; empty if none did. With an address, a context's name is that of a login alone. */
function serviceFlags({ context, baseUrl, appId, insecure }: Globals): string {
  const chosen = baseUrl === undefined ? context : undefined
  const given = { '--context': chosen, '--base-url': baseUrl && withHiddenUser(baseUrl), '--app-id': appId }
  const flags = Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag, shellWord(value)]))
  return [...flags, ...(insecure && flags.length > 0 ? ['--insecure'] : [])].join(' ')
}

/**
 * Returns a function that adds the flags which chose the service to every command of a hint, so that the command acts on
 * the same service when it is copied. A command that names a service is left as it is.
 */
export function commandsForService(globals: Globals): (hint: string) => string {
  const flags = serviceFlags(globals)
  if (flags === '') return (hint) => hint
  return (hint) =>
    hint.replace(commands, (command: string, word: string) =>
      !isWord(word) || withoutService.includes(word) || / --(context|base-url)\b/.test(command)
        ? command
        : command.replace('vatom ', () => `vatom ${flags} `),
    )
}
