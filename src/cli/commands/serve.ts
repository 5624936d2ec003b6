import { Command, InvalidArgumentError, Option } from 'commander'
import { defaults } from '../../contract/defaults.ts'
import { limits } from '../../contract/limits.ts'
import type { Network } from '../../server/service.ts'
import type { Context } from '../context.ts'
import { numberFrom, wholeNumber } from '../io/option-values.ts'
import { acceptChargesOption } from '../kinds/confirmations.ts'
import { networkOf } from '../serve/network.ts'
import { logFormats } from '../serve/request-log.ts'
import { type ServeOptions, serve } from '../serve/serve.ts'

export const command = (context: Context): Command =>
  new Command('serve')
    .description(
      'Run the vAtom service on this machine, with an SQLite database. Without --db and --memory it serves the data of the local context. With a command after --, run that command against a temporary service, and exit with its exit code.',
    )
    .usage('[options] [-- command...]')
    .argument(
      '[command...]',
      'after --: a command and its arguments; VATOM_BASE_URL gives it the address of the service',
    )
    .addOption(new Option('--host <host>', 'address to listen on').default(defaults.host))
    .addOption(
      new Option(
        '--port <port>',
        `port to listen on (default: ${defaults.port}); 0 picks a free one, the default with a command`,
      ).argParser(numberFrom(0, 65_535)),
    )
    .addOption(new Option('--db <file>', 'database file').conflicts('memory'))
    .option('--memory', 'store everything in memory, and discard it at the end; the default with a command')
    .option(
      '--seed <path...>',
      'create the documents in these files, folders or globs that do not exist yet, published if they say unpublished: false',
    )
    .addOption(acceptChargesOption())
    .option('--random-seed <text>', 'make the same ids and codes for the same text, for tests; only in memory')
    .option('--scenario <file>', 'delay, refuse or drop requests as this YAML or JSON file says')
    .option(
      '--publisher <fqdn...>',
      "the publishers' domain names; the first is the seeded one (default: with --db those of the file, in memory VATOM_PUBLISHER)",
    )
    .option(
      '--email <address>',
      "the first publisher's e-mail address, which it keeps (default of a new one: publisher@FQDN)",
    )
    .addOption(
      new Option('--compat <mode>', 'answer as the specification says, or as mobile SDKs need')
        .choices(['spec', 'sdk'])
        .default('spec'),
    )
    .option(
      '--strict-spec',
      'refuse operations that the specification does not name, and fields and values beyond those that it lists',
    )
    .option('--allow-host <host...>', 'also accept requests for these Host names')
    .addOption(
      new Option(
        '--trust-local <network...>',
        'let machines of these networks, such as 172.17.0.0/16, use the test controls below /__vatom/',
      ).argParser(networks),
    )
    .addOption(
      new Option(
        '--trust-proxy <network...>',
        'take the caller of a request from the X-Forwarded-For of reverse proxies in these networks, such as 127.0.0.1',
      ).argParser(networks),
    )
    .option(
      '--allow-handler-host <host...>',
      'also call action handlers on these hosts; without it, only on this machine',
    )
    .option('--cors-origin <origin...>', 'also accept calls from web pages of these origins')
    .addOption(
      new Option(
        '--calls-per-minute <n>',
        'how often one address can sign in, make a guest, or ask for a code or try one, each; 0: any number',
      )
        .default(limits.callsPerMinute)
        .argParser(wholeNumber),
    )
    .addOption(
      new Option(
        '--max-memory <mebibytes>',
        'memory it is to get by with: clients that leave too much of their answers and events unread are cut off',
      )
        .default(defaults.memory)
        .argParser(numberFrom(128, 1_048_576)),
    )
    .option('--exit-with-parent', 'end when the process that started it ends, even if that is killed')
    .addOption(
      new Option(
        '--log <format>',
        'print a line for each request on stderr: as text, as JSON, or none (default: text; none with a command or --quiet)',
      ).choices(logFormats),
    )
    .option('--catalog <path...>', 'compare these files, folders or globs with the service in the console')
    .option('--no-console', 'serve no console to browsers')
    .addOption(unitsOption('--contract-units <n>', 'what a contract costs', defaults.units.contract))
    .addOption(unitsOption('--field-units <n>', 'what a new value of a field costs', defaults.units.field))
    .addOption(unitsOption('--balance <n>', 'what each publisher can spend on them in all', defaults.units.balance))
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

The seeded publisher's password is vatom-local on loopback addresses;
set another with VATOM_SERVE_PASSWORD.

A command after -- gets VATOM_BASE_URL, VATOM_APP_ID, VATOM_REFRESH_TOKEN and
VATOM_PUBLISHER, this terminal and its signals. GET /__vatom/journal lists its
requests. PUT /__vatom/clock moves the service's time. PUT /__vatom/scenario
takes the same rules as the file of --scenario, but as JSON. In the file, one is
  - { match: { path: /v1/vatoms }, times: 2, then: { status: 503 } }
and in JSON, all of them are
  [{"match": {"path": "/v1/vatoms"}, "times": 2, "then": {"status": 503}}]
match: path (or a pattern with *), method, operation, user, headers, body; then:
latency_ms, status with retry_after, error, payload, or drop: true; for messages
on WebSockets, match event, then close, message or omit. The first rule that
matches is applied. POST /__vatom/reset returns to the start.`,
    )
    .action((words: string[], options: ServeOptions) => serve(words, options, context))

/** Collects the values of a flag as networks. */
function networks(text: string, before: readonly Network[] = []): readonly Network[] {
  const network = networkOf(text)
  if (!network) throw new InvalidArgumentError('it must be an address or a network, for example 172.17.0.0/16')
  return [...before, network]
}

const unitsOption = (flags: string, description: string, unset: number): Option =>
  new Option(flags, description)
    .default(unset)
    .argParser(wholeNumber)
    .helpGroup('Charges for chain writes on mainnet, in platform units:')
