import { Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { type ActOptions, act } from '../vatoms/act.ts'

export const command = (context: Context, run = act): Command =>
  new Command('act')
    .description('Perform an action on a vAtom, and print its output.')
    .argument('<action>', 'its name without that of the template, such as Transfer')
    .argument('<id>', "the vAtom's id")
    .addOption(
      new Option(
        '-d, --field <key=value>',
        'give the action an input, which may be true, false, null, a number or JSON; may be given again',
      ).argParser((text: string, before: readonly string[] = []) => [...before, text]),
    )
    .option('--data <file>', 'take inputs from a YAML or JSON file, or - for standard input; -d goes before it')
    .option('--any-input', 'send inputs that the standard action of this name does not know, or without those it needs')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom act Transfer ID -d new.owner.email=ada@example.com
  vatom act Drop ID -d geo.pos='{"lat": 47.37, "lon": 8.54}'
  vatom act Update ID -d private.colour=red -d private.points=12
  echo '{"vatom.ids": ["A", "B"]}' | vatom act Combine ID --data -

What the standard actions take: Transfer and Clone need new.owner.email,
new.owner.phone_number or new.owner.id, and Redeem may have one; Drop needs
geo.pos, Combine child.id or vatom.ids; Update takes private.NAME.`,
    )
    .action((action: string, id: string, options: ActOptions) => run(action, id, options, context))
