import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addFaceOptions, faceFields } from '../../kinds/face-flags.ts'
import { registerCommandFor } from '../../kinds/register.ts'
import { writes } from '../../kinds/writes.ts'

const unset = {
  'package-url': 'the display url',
  platform: 'generic',
  quality: 'high',
  resources: 'none',
}

export const registerCommand = (context: Context): Command =>
  registerCommandFor(
    {
      noun: 'face',
      one: 'A face',
      needed: ['template', 'display_url', 'view_mode'],
      addOptions: (command) =>
        addFaceOptions(command.option('--template <name>', 'the template the face is for'), unset),
      document: described,
      examples: `  vatom face register coffee.faces.yaml
  vatom face register --template acme::Coffee::v1 --view-mode icon \\
    --display-url native://image --resources CardImage`,
      register: writes.face.create,
    },
    context,
  )

const plain = { bluetooth_le: false, contact_list: false, gps: false, three_d: false }

/** The face that flags describe, with defaults for the rest. */
function described(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { constraints, ...fields } = faceFields(given)
  return {
    package_url: fields.display_url,
    resources: [],
    ...fields,
    constraints: { ...plain, platform: 'generic', quality: 'high', ...constraints },
  }
}
