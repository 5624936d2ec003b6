import { EventEmitter } from 'node:events'
import { type Command, Help } from 'commander'
import { pageAbout } from './words.ts'

/** What each command says behind its help: its examples, and perhaps more. */
const texts = new WeakMap<Command, string>()

/** Takes what a command adds behind its help from it, for `formatHelp` to put in its place. */
export function takeHelpText(command: Command): void {
  if (!(command instanceof EventEmitter)) return
  const parts: string[] = []
  command.emit('afterHelp', { error: false, command, write: (text: string) => parts.push(text) })
  command.removeAllListeners('afterHelp')
  texts.set(command, parts.join(''))
}

/** The page of the manual about a command: that about its first word. */
const pageOf = (command: Command): string | undefined =>
  command.parent?.parent ? pageOf(command.parent) : pageAbout[command.name()]

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

/** How a command is called, and how it is listed in the help of its noun: both without its other names. */
export const commandUsage = (command: Command): string => `${pathOf(command)} ${command.usage()}`
export const subcommandTerm = (command: Command): string =>
  `${command.name()} ${command.usage().replace(/\[options\] ?/, '')}`.trim()

/** Lists only a command's own options; what suggests one for a typing mistake still knows all. */
function withOwnOptions(help: Help): Help {
  const own = (command: Command) =>
    help
      .visibleOptions(command)
      .filter(({ long }) => command.parent !== null || ['--help', '--version'].includes(long ?? ''))
  return Object.assign(new Help(), help, { visibleOptions: own })
}

/** What the help of every command says of the others. */
export const optionsLine = 'Options of every command, such as --json: vatom help options'

/**
 * A command's help, its examples before its arguments and options; what else it adds stands at the end, then the page of
 * the manual about it.
 */
export function formatHelp(command: Command, help: Help): string {
  const text = Help.prototype.formatHelp.call(help, command, withOwnOptions(help))
  const [examples = '', ...rest] = (texts.get(command) ?? '').trim().split('\n\n')
  const start = /^[A-Z][A-Za-z ]*:$/m.exec(text)?.index ?? text.length
  const head = examples === '' ? '' : `${examples}\n\n`
  const page = pageOf(command)
  const aliases = command.aliases()
  const more = [
    ...(aliases.length === 0 ? [] : [`Other names: ${aliases.join(', ')}`]),
    ...(command.parent ? [optionsLine] : []),
    ...(page === undefined ? [] : [`More: vatom help ${page}`]),
  ].join('\n')
  const tail = [...rest, more]
    .filter(Boolean)
    .map((paragraph) => `${paragraph}\n`)
    .join('\n')
  return `${text.slice(0, start)}${head}${text.slice(start)}${tail && `\n${tail}`}`
}
