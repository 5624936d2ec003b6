import { type Command, Option } from 'commander'
import { face } from '../../../contract/kinds/face.ts'
import { platforms, qualities, viewModes } from '../../../contract/values.ts'
import type { DocumentFlags } from '../../kinds/verbs/register.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a face may need: the name of the flag, and the help for it and for its opposite. */
export const needs = [
  ['bluetooth-le', 'needs bluetooth', 'does not need bluetooth'],
  ['contact-list', 'needs the address book', 'does not need the address book'],
  ['gps', 'needs GPS', 'does not need GPS'],
  ['three-d', 'is rendered in 3D', 'is not rendered in 3D'],
] as const

/** Adds the flags for the fields of a face; `unset` has the defaults to show in their help. */
export function addFaceOptions(command: Command, unset: Readonly<Record<string, string>> = {}): Command {
  const option = (name: string, value: string, text: string) =>
    new Option(`--${name} ${value}`, name in unset ? `${text} (default: ${unset[name]})` : text)
  command
    .addOption(option('display-url', '<url>', 'native://<view> or https://<url>'))
    .addOption(option('package-url', '<url>', 'package of assets'))
    .addOption(option('view-mode', '<mode>', 'where the face is shown').choices(viewModes))
    .addOption(option('platform', '<platform>', 'viewers that can show the face').choices(platforms))
    .addOption(option('quality', '<quality>', 'quality of the face').choices(qualities))
    .addOption(option('resources', '<name...>', 'resources of the template the face uses'))
  for (const [name, text] of needs) command.option(`--${name}`, `the face ${text}`)
  return command
}

const constraints = ['view_mode', 'platform', 'quality', ...needs.map(([name]) => name.replaceAll('-', '_'))]

/** The fields that flags give, in the structure of a document. */
export function faceFields(given: Fields): Fields & { readonly constraints?: object } {
  const fields = Object.entries(given)
  const constrained = fields.filter(([field]) => constraints.includes(field))
  return {
    ...Object.fromEntries(fields.filter(([field]) => !constraints.includes(field))),
    ...(constrained.length > 0 && { constraints: Object.fromEntries(constrained) }),
  }
}

const unset = {
  'package-url': 'the display url',
  platform: 'generic',
  quality: 'high',
  resources: 'none',
}

/** How flags describe a face. */
export const faceFlags: DocumentFlags = {
  needed: ['template', 'display_url', 'view_mode'],
  identity: ['template', 'view_mode', 'platform', 'quality'],
  addOptions: (command) => addFaceOptions(command.option('--template <name>', 'the template the face is for'), unset),
  document: (given) => {
    const { template, constraints, ...fields } = faceFields(given)
    return face.documentOf({
      template,
      properties: { ...fields, constraints: { platform: 'generic', ...constraints } },
    })
  },
  example: `vatom face register --template acme::Coffee::v1 --view-mode icon \\
    --display-url native://image --resources CardImage`,
}
