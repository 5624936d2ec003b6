import { Command, InvalidArgumentError, Option } from 'commander'
import { defaults } from '../../contract/defaults.ts'
import type { Context } from '../context.ts'
import { wholeNumber } from '../io/option-values.ts'
import { type ServeOptions, serve } from '../serve/serve.ts'

export const command = (context: Context, run = serve): Command =>
  new Command('serve')
    .description(
      'Run the vAtom service on this machine, on SQLite. Without --db and --memory it serves what the local context holds. With a command behind --: run that against a throw-away service, and end with its exit code.',
    )
    .usage('[options] [-- command...]')
    .argument('[command...]', 'behind --: a command and its arguments, which finds the service in VATOM_BASE_URL')
    .addOption(new Option('--host <host>', 'address to listen on').default(defaults.host))
    .addOption(
      new Option(
        '--port <port>',
        `port to listen on (default: ${defaults.port}); 0 picks one, as with a command`,
      ).argParser(port),
    )
    .addOption(new Option('--db <file>', 'database file').conflicts('memory'))
    .option('--memory', 'keep everything in memory, and forget it at the end; usual with a command')
    .option('--seed <path...>', 'create what these files, folders or globs hold, where it is not there yet')
    .option('--scenario <file>', 'delay, refuse or drop requests as this YAML or JSON file says')
    .option('--publisher <fqdn...>', "the publishers' domain names; the first is the seeded one")
    .option('--email <address>', "the seeded publisher's e-mail address")
    .addOption(
      new Option('--compat <mode>', 'answer as the specification says, or as mobile SDKs need')
        .choices(['spec', 'sdk'])
        .default('spec'),
    )
    .option('--strict-spec', 'refuse operations that rest on an assumption')
    .option('--allow-host <host...>', 'answer to these Host names, too')
    .option('--allow-handler-host <host...>', 'call action handlers at these hosts, too; else on this machine alone')
    .option('--cors-origin <origin...>', 'let pages of these origins call, too')
    .addOption(unitsOption('--contract-units <n>', 'what a contract costs', defaults.units.contract))
    .addOption(unitsOption('--field-units <n>', 'what a new value of a field costs', defaults.units.field))
    .addOption(unitsOption('--balance <n>', 'what each publisher has for them in all', defaults.units.balance))
    .addHelpText(
      'after',
      `
Examples:
  vatom serve
  vatom serve --port 0 --memory --json
  vatom serve --memory --seed catalog/
  vatom serve --seed catalog/ -- npm test
  vatom serve -- sh -c 'vatom template create a.yaml && vatom template list'
  VATOM_SERVE_PASSWORD=… vatom serve --host 0.0.0.0 --allow-host dev.example

The seeded publisher's password is vatom-local on loopback;
VATOM_SERVE_PASSWORD sets another.

A command behind -- gets VATOM_BASE_URL, VATOM_APP_ID, VATOM_REFRESH_TOKEN and
VATOM_PUBLISHER, this terminal and its signals; what it did is at
GET /__vatom/journal. PUT /__vatom/clock moves the service's time, and
PUT /__vatom/scenario takes what --scenario has: a list of rules such as
  - { match: { path: /v1/vatoms }, times: 2, then: { status: 503 } }
match: path (or a pattern with *), method, operation; then: latency_ms, status
with retry_after, or drop: true. The first rule that fits is applied.`,
    )
    .action((words: string[], options: ServeOptions) => run(words, options, context))

const unitsOption = (flags: string, description: string, unset: number): Option =>
  new Option(flags, description)
    .default(unset)
    .argParser(wholeNumber)
    .helpGroup('Charges for chain writes on mainnet, in platform units:')

function port(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isInteger(value) && value >= 0 && value <= 65_535) return value
  throw new InvalidArgumentError('it must be a port, from 0 to 65535')
}
