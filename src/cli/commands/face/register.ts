import { Command, Option } from 'commander'
import { platforms, qualities, viewModes } from '../../../contract/values.ts'
import type { Context } from '../../context.ts'
import { createDocuments } from '../../documents/create.ts'
import { type Format, formatOption } from '../../documents/format.ts'
import { usage } from '../../failure/failure.ts'

interface RegisterOptions {
  readonly format: Format
  readonly template?: string
  readonly displayUrl?: string
  readonly packageUrl?: string
  readonly viewMode?: string
  readonly platform?: string
  readonly quality?: string
  readonly resources?: readonly string[]
  readonly bluetoothLe?: boolean
  readonly contactList?: boolean
  readonly gps?: boolean
  readonly threeD?: boolean
}

export const registerCommand = (context: Context, run = register): Command =>
  new Command('register')
    .summary('register faces for a template')
    .description('Check face documents, then register them; or register one face from flags.')
    .argument('[file...]', 'YAML or JSON files, folders, globs, or - for standard input')
    .option('--template <name>', 'the template the face is for')
    .option('--display-url <url>', 'native://<view> or https://<url>')
    .option('--package-url <url>', 'package of assets (default: the display url)')
    .addOption(new Option('--view-mode <mode>', 'where the face is shown').choices(viewModes))
    .addOption(new Option('--platform <platform>', 'viewers that may show it (default: generic)').choices(platforms))
    .addOption(new Option('--quality <quality>', 'quality of the face (default: high)').choices(qualities))
    .option('--resources <name...>', 'resources of the template the face uses (default: none)')
    .option('--bluetooth-le', 'the face needs bluetooth')
    .option('--contact-list', 'the face needs the address book')
    .option('--gps', 'the face needs GPS')
    .option('--three-d', 'the face is rendered in 3D')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom face register coffee.faces.yaml
  vatom face register --template acme::Coffee::v1 --view-mode icon \\
    --display-url native://image --resources CardImage`,
    )
    .action((files: string[], options: RegisterOptions) => run(files, options, context))

export async function register(files: readonly string[], options: RegisterOptions, context: Context): Promise<void> {
  const { format: _, ...described } = options
  if (files.length > 0 && Object.keys(described).length > 0)
    throw usage('A face comes from files or from flags, not both')
  const flags = faceFromFlags(options)
  if (files.length === 0 && flags === undefined)
    throw usage('A face is missing', 'name a file, or give --template, --display-url and --view-mode')
  const { FaceDocument } = await import('../../../contract/face.ts')
  await createDocuments(
    {
      noun: 'face',
      inputs: flags === undefined ? files : { flags },
      format: options.format,
      send: async ({ value }, { client, place }) => {
        const { success_message } = await client.registerFace({ body: FaceDocument.parse(value) })
        return { status: 'created', message: `${success_message.replace(/\.$/, '')} on ${place}` }
      },
    },
    context,
  )
}

const needed = ['template', 'displayUrl', 'viewMode'] as const

/** The face that flags describe; undefined without any of them. */
function faceFromFlags(options: RegisterOptions): Record<string, unknown> | undefined {
  const { format: _, ...given } = options
  if (Object.keys(given).length === 0) return undefined
  const missing = needed
    .filter((name) => options[name] === undefined)
    .map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
  if (missing.length > 0)
    throw usage(`A face from flags needs ${missing.join(', ')}`, 'or name a file that holds the face')
  return {
    template: options.template,
    display_url: options.displayUrl,
    package_url: options.packageUrl ?? options.displayUrl,
    constraints: {
      bluetooth_le: options.bluetoothLe ?? false,
      contact_list: options.contactList ?? false,
      gps: options.gps ?? false,
      three_d: options.threeD ?? false,
      view_mode: options.viewMode,
      platform: options.platform ?? 'generic',
      quality: options.quality ?? 'high',
    },
    resources: options.resources ?? [],
  }
}
