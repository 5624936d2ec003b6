import { Command } from 'commander'
import { action, fieldChanges } from '../../../contract/kinds/action.ts'
import type { Context } from '../../context.ts'
import { type DryRunOption, dryRunOption } from '../../dry-run/option.ts'
import { usage } from '../../failure/failure.ts'
import { fieldsOf } from '../../io/option-values.ts'
import { type FormatOption, formatOption, maxWarningsOption } from '../../kinds/problems.ts'
import { givenName, typedName } from '../../kinds/short-name.ts'
import { comparing, type Updating, updateDocuments } from '../../kinds/verbs/update.ts'
import { addActionOptions } from './flags.ts'

interface UpdateOptions extends DryRunOption, FormatOption {
  readonly name?: string
}

export const updateCommand = (context: Context): Command =>
  addActionOptions(
    new Command('update')
      .summary('change actions from files or flags')
      .description(
        'Change actions to match their documents, or change one action by its name and flags. A field that a document leaves out goes back to its default. Only differences are sent.',
      )
      .argument(
        '[file|name...]',
        'YAML or JSON files, folders, globs, or - for standard input; or the name of one action',
      ),
  )
    .addOption(dryRunOption())
    .addOption(formatOption())
    .addOption(maxWarningsOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom action update coffee.actions.yaml
  vatom action update acme::Coffee::v1::Action::Transfer --no-wait`,
    )
    .action((operands: string[], options: UpdateOptions) => update(operands, options, context))

async function update(
  operands: readonly string[],
  { format, maxWarnings, name: flag, dryRun: _, ...described }: UpdateOptions,
  context: Context,
): Promise<void> {
  const options = { format, maxWarnings }
  const { isInput } = await import('../../../documents/load/inputs.ts')
  const isFile = (operand: string) =>
    !operand.includes('::') && (!/^\w+$/.test(operand) || isInput(operand, context.host.cwd))
  const names = operands.filter((operand) => !isFile(operand))
  const files = operands.filter(isFile)
  const name = soleName([...names, ...(flag === undefined ? [] : [flag])])
  const fields = fieldsOf(described)
  const given = name !== undefined || Object.keys(fields).length > 0
  if (files.length > 0 && given) throw usage('Actions come from files or from flags, not both', eitherWay)
  if (files.length > 0) return updateDocuments(comparing(action), files, options, context)
  if (name === undefined) throw usage('No action given', 'name a file, or give a name and what to change')
  if (Object.keys(fields).length === 0) throw usage('No change given', 'give flags: --timeout 5000')
  const whole = await givenName(typedName(action, name, context), context)
  await updateDocuments(comparingFields, { name: whole, fields }, options, context)
}

const eitherWay = 'write it into the file, or change one action: vatom action update NAME --timeout 5000'

/** The one name that was given, if any. */
function soleName(names: readonly string[]): string | undefined {
  const [name, ...others] = new Set(names)
  if (others.length === 0) return name
  throw usage('Flags can change one action only, but several are named', 'name one, or change the others from files')
}

/** Compares the fields that flags give with the record of a name. */
const comparingFields: Updating = {
  kind: action,
  compare: async (client, { name, value }) => fieldChanges(value, await client.getAction({ name })),
}
