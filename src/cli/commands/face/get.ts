import { Command } from 'commander'
import { face } from '../../../contract/kinds/face.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { seeList } from '../../failure/hinted.ts'
import { faceIdHelp, faceIds, facesIn } from './face-id.ts'

export const getCommand = (context: Context): Command =>
  new Command('get')
    .summary('show a face')
    .description(
      'Show a face of your publisher as a document, as update reads it; with --json, as the service returns it.',
    )
    .argument('<id>', faceIdHelp)
    .addHelpText('after', '\nExamples:\n  vatom face get ID\n  vatom face get ID > face.yaml')
    .action((id: string) => get(id, context))

async function get(given: string, context: Context): Promise<void> {
  const readFaces = facesIn(context)
  const [id] = await faceIds([given], readFaces)
  const record = (await readFaces()).find((one) => one.id === id)
  if (record === undefined)
    throw new Failure('not_found', exit.refused, `No face of yours has the id ${given}`, { hint: seeList('face list') })
  const { yamlLines } = await import('../../io/yaml.ts')
  await context.output.listing(record, () => yamlLines(face.documentOf(record)))
}
