import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { methods } from '../../contract/api/methods.ts'
import { type ApiOptions, api } from '../api/call.ts'
import { methodOf } from '../api/methods.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { collected } from '../io/option-values.ts'

export const command = (context: Context): Command =>
  new Command('api')
    .description('Send a request with the session of the current context, and print the body of its answer.')
    .addArgument(new Argument('<method>', methods.join(', ')).argParser(method))
    .argument('<path>', 'path below the base URL; $publisher in it stands for your own domain')
    .addOption(field('-f, --raw-field <key=value>', 'add a field that is a string'))
    .addOption(field('-F, --field <key=value>', 'add a field that is true, false, null, a number or a string'))
    .option('--input <file>', 'send a file as the body, or - for standard input')
    .option('-i, --include', 'print status and headers first; with --json, beside the body')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom api GET v1/user
  vatom api GET v1/templates -f limit=5
  vatom api PATCH v1/user -f first_name=Ada -F name_public=true
  vatom api POST v1/vatom/discover --input query.json
  vatom api GET 'v1/templates/$publisher::CoffeeCoupon::v1' | jq .payload

Fields make a JSON object for the body; with GET, DELETE and --input they go
into the query. If the service refuses the request, its answer is
printed as well, and the exit code depends on its status. An answer that is
not JSON is a failure, too, where the path is one of the API.`,
    )
    .action((verb: string, path: string, options: ApiOptions) => api(verb, path, options, context))

function method(text: string): string {
  const found = methodOf(text)
  if (found !== undefined) return found
  throw new InvalidArgumentError(`it must be one of ${methods.join(', ')}`)
}

const field = (flags: string, description: string): Option =>
  new Option(flags, `${description}; may be given again`).argParser(collected)
