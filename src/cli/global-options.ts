import { InvalidArgumentError, Option } from 'commander'

/** The options of every command. */
export const globalOptions = (): Option[] => [
  new Option('--context <name>', 'talk to a saved context'),
  new Option('--base-url <url>', 'talk to the service at this address (with --app-id)'),
  new Option('--app-id <id>', 'application id for --base-url, or for vatom serve'),
  new Option('--timeout <seconds>', 'give up on a request after this long').default(30).argParser(seconds),
  new Option('--insecure', 'allow plain http to other machines'),
  new Option('--json', 'print one JSON document on stdout'),
  new Option('--quiet', 'print no notes on stderr'),
  new Option('--debug', 'show the cause of an unexpected failure'),
  new Option('--no-input', 'never ask, fail instead'),
  new Option('--no-pager', 'print long output without a pager'),
  new Option('--color', 'use colours'),
  new Option('--no-color', 'use no colours'),
  new Option('-V, --version', 'print the version'),
  new Option('-v').hideHelp(),
]

/** Seconds: a day. */
const longestTimeout = 86_400

function seconds(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= longestTimeout))
    throw new InvalidArgumentError(`it must be a number of seconds above 0, and up to ${longestTimeout}, not ${text}`)
  return value
}
