import { Command } from 'commander'
import type { Context } from '../context.ts'
import { type ExplainOptions, explainPath } from '../explain/explain-path.ts'

export const command = (context: Context): Command =>
  new Command('explain')
    .description(
      'Show what a field of a document means: its type, values, default and limits, and the fields below it; or what a rule checks, an error or a warning means, or a standard action needs.',
    )
    .argument(
      '[path]',
      'a kind of document, a field in it (parts of the path may be left out, and brackets), a rule, an error by its code, name or number, a warning by its code, or a standard action',
    )
    .option('--rules', 'show all rules for documents instead, and how to switch each off')
    .option('--codes', 'show all codes of errors instead')
    .addHelpText(
      'after',
      `
Examples:
  vatom explain
  vatom explain template
  vatom explain template.visibility
  vatom explain face.constraints.view_mode
  vatom explain template.vatom.vAtom::vAtomType.states.name
  vatom explain face.config.image_policy
  vatom explain icon-face
  vatom explain 9041
  vatom explain missing-variation
  vatom explain Transfer
  vatom explain changed_meanwhile
  vatom explain --rules
  vatom explain --codes`,
    )
    .action((path: string | undefined, options: ExplainOptions) => explainPath(path, options, context))
