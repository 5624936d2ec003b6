import type { Command } from 'commander'
import { usage } from './failure.ts'

/**
 * What arguments that must not be empty are called: names and ids, which stand in addresses and queries of requests, and a
 * folder that is written to.
 */
const named: readonly string[] = ['name', 'id', 'template', 'variation', 'user', 'token', 'action', 'dir']

/** Throws a usage error for an empty name, id or folder, or the empty name of a file, as of a shell variable that is not set. */
export function refuseEmptyArguments(command: Command): void {
  refuseEmptyFiles(command)
  const { registeredArguments, processedArgs } = command
  for (const [index, argument] of registeredArguments.entries()) {
    const given = [processedArgs[index]].flat()
    if (
      argument
        .name()
        .split('|')
        .some((name) => named.includes(name)) &&
      given.some(isEmpty)
    )
      throw usage(`The ${wordOf(argument.name())} is empty`, remedy)
  }
}

function refuseEmptyFiles(command: Command): void {
  const empty = command.options.find(
    (option) => /<(file|folder)>$/.test(option.flags) && isEmpty(command.getOptionValue(option.attributeName())),
  )
  if (empty) throw usage(`${empty.long} is empty`, remedy)
}

/** What to do about a shell variable that is not set. */
export const ifVariable = 'if a shell variable stands there, set the variable'

/** What to do about something that is empty. */
export const remedy = `give one; ${ifVariable}`

const isEmpty = (given: unknown) => typeof given === 'string' && given.trim() === ''

/** `file|name` in words. */
const wordOf = (name: string) => (name === 'dir' ? 'folder' : name.replace('|', ' or '))
