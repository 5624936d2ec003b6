import { Command } from 'commander'
import type { LoadedDocument } from '../../../documents/types.ts'
import type { Context } from '../../context.ts'
import { createDocuments } from '../../documents/create.ts'
import { type Format, formatOption } from '../../documents/format.ts'
import { usage } from '../../failure/failure.ts'
import { hinted, seeList } from '../../failure/hinted.ts'
import { fieldsOf } from '../../input/fields.ts'
import { addFaceOptions, faceFields, needs } from './flags.ts'

interface UpdateOptions {
  readonly format: Format
}

export const updateCommand = (context: Context, run = update): Command => {
  const command = addFaceOptions(
    new Command('update')
      .summary('change a face')
      .description(
        'Change a face, from flags or from a file that holds one face. What flags leave out stays. A file is sent whole, but for its template: a face stays with the one it was registered for, whatever the file says. A config that the file does not have stays, too.',
      )
      .argument('<id>', "the face's id; vatom face list TEMPLATE tells it")
      .argument('[file]', 'a YAML or JSON file, or - for standard input'),
  )
  for (const [name, , text] of needs) command.option(`--no-${name}`, `the face ${text}`)
  return command
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  vatom face update ID coffee.icon.yaml\n  vatom face update ID --quality low --no-gps',
    )
    .action((id: string, file: string | undefined, options: UpdateOptions) => run(id, file, options, context))
}

export async function update(
  id: string,
  file: string | undefined,
  { format, ...described }: UpdateOptions,
  context: Context,
): Promise<void> {
  const fields = faceFields(fieldsOf(described))
  const given = Object.keys(fields).length > 0
  if (file !== undefined && given) throw usage('A face comes from a file or from flags, not both')
  if (file === undefined && !given)
    throw usage('What to change is missing', 'name a file, or give flags: --quality low')
  const { FaceUpdate } = await import('../../../contract/face.ts')
  await createDocuments(
    {
      noun: 'face',
      inputs: file === undefined ? { kind: 'face', name: id, fields } : [file],
      format,
      gate: async (documents) => checkSole(documents),
      send: async ({ value: { template: _, ...body } }, { client, place }) => {
        await hinted(client.updateFace({ id, body: FaceUpdate.parse(body) }), {
          notFound: seeList('face list TEMPLATE'),
        })
        return { status: 'updated', message: `Updated face ${id} on ${place}` }
      },
    },
    context,
  )
}

function checkSole(documents: readonly LoadedDocument[]): void {
  if (documents.length === 1) return
  throw usage(`One face is changed, and the file holds ${documents.length}`, 'name a file that holds one face')
}
