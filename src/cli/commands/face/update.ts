import { Command } from 'commander'
import { isUuid } from '../../../contract/api/user-token-formats.ts'
import { face } from '../../../contract/kinds/face.ts'
import type { Context } from '../../context.ts'
import { type DryRunOption, dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { usage } from '../../failure/failure.ts'
import { hinted, seeList } from '../../failure/hinted.ts'
import { fieldsOf } from '../../io/option-values.ts'
import { createDocuments } from '../../kinds/deliver.ts'
import { type FormatOption, formatOption, maxWarningsOption } from '../../kinds/problems.ts'
import { updateRecord } from '../../kinds/requests.ts'
import { orDone, whileAsBefore } from '../../kinds/sending-again.ts'
import { updateDocuments } from '../../kinds/verbs/update.ts'
import { faceOfDocument, faceOfId } from './described-face.ts'
import { changedTitle, faceIds, faceStanding, faceState, facesIn, type ReadFaces } from './face-id.ts'
import { addFaceOptions, faceFields, needs } from './flags.ts'

type UpdateOptions = DryRunOption & FormatOption

export const updateCommand = (context: Context): Command => {
  const command = addFaceOptions(
    new Command('update')
      .summary('change faces from files or flags')
      .description(
        'Change faces to match their documents, or change one face by its id and flags. A document belongs to the face of the same template, view mode, platform and quality; to choose another face, give its id before the file. Only differences are sent.',
      )
      .argument(
        '[id|file...]',
        "a face's id or its beginning, as shown by vatom face list; files, folders, globs, or -",
      ),
  )
  for (const [name, , text] of needs) command.option(`--no-${name}`, `the face ${text}`)
  return command
    .addOption(dryRunOption())
    .addOption(formatOption())
    .addOption(maxWarningsOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom face update coffee.faces.yaml
  vatom face update ID coffee.icon.yaml
  vatom face update ID --quality low --no-gps`,
    )
    .action((operands: string[], options: UpdateOptions) => update(operands, options, context))
}

async function update(
  operands: readonly string[],
  { format, maxWarnings, dryRun: _, ...described }: UpdateOptions,
  context: Context,
): Promise<void> {
  const readFaces = facesIn(context)
  const { id, files } = await operandsOf(operands, readFaces, context)
  const fields = faceFields(fieldsOf(described))
  const given = Object.keys(fields).length > 0
  if (files.length > 0 && given) throw usage('Faces come from files or from flags, not both', eitherWay)
  if (files.length > 0)
    return updateDocuments(id ? faceOfId(id) : faceOfDocument(), files, { format, maxWarnings }, context)
  if (id === undefined) throw usage('No face given', 'name a file, or give its id and what to change')
  if (!given) throw usage('No change given', 'name a file, or give flags: --quality low')
  await changeFields({ id, fields, readFaces }, { format, maxWarnings }, context)
}

const eitherWay = 'write it into the file, or change one face: vatom face update ID --quality low'

/** The id that comes first, if one does, and the files. */
async function operandsOf(operands: readonly string[], readFaces: ReadFaces, context: Context) {
  const [first, ...rest] = operands
  if (first === undefined) return { files: [] }
  if (isUuid(first)) return { id: first, files: rest }
  const { isInput } = await import('../../../documents/load/inputs.ts')
  if (isInput(first, context.host.cwd)) return { files: operands }
  const [id = ''] = await faceIds([first], readFaces)
  if (isUuid(id)) return { id, files: rest }
  throw usage(`${first} is neither a face's id nor a file`, seeList('face list'))
}

interface FieldChange {
  readonly id: string
  readonly fields: Record<string, unknown>
  readonly readFaces: ReadFaces
}

async function changeFields(
  { id, fields, readFaces }: FieldChange,
  options: FormatOption,
  context: Context,
): Promise<void> {
  await createDocuments(
    {
      kind: face,
      inputs: { name: id, fields },
      ...options,
      send: async ({ value }, { client, place }) => {
        const change = { id, changes: value }
        const title = await changedTitle(change, readFaces)
        const before = await faceState(id, readFaces)
        const again = whileAsBefore(async () =>
          before === undefined ? 'as before' : faceStanding(change, before, facesIn(context)),
        )
        const sent = updateRecord(client, face, { key: id }, value, again)
        const updated = hinted(
          orDone(sent, async () => ({})),
          { notFound: seeList('face list') },
        )
        await would(`update face ${title} on ${place}`, updated)
        return { status: 'updated', message: `Updated face ${title} on ${place}` }
      },
    },
    context,
  )
}
