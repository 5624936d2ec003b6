import { Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { type ActOptions, act } from '../vatoms/act.ts'

export const command = (context: Context): Command =>
  new Command('act')
    .description('Perform an action on a vAtom, and print its output.')
    .argument('<action>', 'name of the action without its template, such as Transfer')
    .argument('<id>', "the vAtom's id")
    .addOption(
      new Option(
        '-d, --field <key=value>',
        'set an input of the action to a text, true, false, null, a number or JSON; may be given again',
      ).argParser((text: string, before: readonly string[] = []) => [...before, text]),
    )
    .option('--data <file>', 'take inputs from a YAML or JSON file, or - for standard input; -d overrides it')
    .option('--any-input', 'do not check the inputs against those of the standard action of this name')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom act Transfer ID -d new.owner.email=ada@example.com
  vatom act Drop ID -d geo.pos='{"lat": 47.37, "lon": 8.54}'
  vatom act Update ID -d private.colour=red -d private.points=12
  echo '{"vatom.ids": ["A", "B"]}' | vatom act Combine ID --data -

Inputs of the standard actions: Transfer and Clone need one of new.owner.email,
new.owner.phone_number and new.owner.id, and Redeem can take one. Drop needs
geo.pos. Combine needs child.id or vatom.ids. Update takes private.NAME.`,
    )
    .action((action: string, id: string, options: ActOptions) => act(action, id, options, context))
