import { Command } from 'commander'
import { limits } from '../../../contract/limits.ts'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { toFailure } from '../../failure/translate.ts'
import { transferProgress } from '../../io/progress.ts'
import { sizeText, styled } from '../../io/text.ts'
import { finishRows, type Row } from '../../kinds/results.ts'
import { runJobs } from '../../kinds/send.ts'
import { checkPublisher } from '../../service/publisher.ts'
import { type LocalFile, sendFile } from '../../service/upload.ts'
import { checkFiles, faultsOf, fileSubject, unsentRows } from './files.ts'
import { mismatches } from './mismatch.ts'
import { notePort } from './note-port.ts'

export const uploadCommand = (context: Context): Command =>
  new Command('upload')
    .summary('upload files, and print their addresses')
    .description(
      `Upload files one after the other, and print the address of each, to use as the value of a resource. The service detects the type of a file from its content. A file may have at most ${limits.asset / 2 ** 20} MiB.`,
    )
    .argument('<file...>', 'files; if one cannot be uploaded, none is sent')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom asset upload card.png
  vatom asset upload images/*.png model.glb --json
  url=$(vatom asset upload --quiet card.png)

A resource refers to an asset by its address:
  value:
    resourceValueType: ResourceValueType::URI
    value: http://127.0.0.1:4100/assets/…/card.png`,
    )
    .action((files: string[]) => upload(files, context))

async function upload(given: readonly string[], context: Context): Promise<void> {
  const { host, output } = context
  const files = await checkFiles(given, host.cwd)
  const faults = faultsOf(files)
  const sent = faults
    ? unsentRows(files, faults)
    : await sendFiles(files, context).catch(async (error: unknown) => unsentRows(files, await toFailure(error, host)))
  const rows = sent.map((row) => ({ ...row, problems: mismatches(row, output) }))
  const created = rows.filter(({ status }) => status === 'created')
  for (const { message, problems } of created) {
    output.note(message)
    for (const { message, hint } of problems) output.warn(styled`${message}; ${hint}`)
  }
  if (created.length > 0) await notePort(context)
  await finishRows(rows, { format: 'text' }, output)
}

async function sendFiles(files: readonly LocalFile[], context: Context): Promise<Row[]> {
  await context.announce()
  await checkPublisher(context)
  const { client, place } = await context.connect()
  const { host, output } = context
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const bar = await transferProgress(output, host, total)
  const jobs = files.map((file) => ({
    subject: fileSubject(file),
    run: async () => {
      const sent = sendFile(client, file, host.signal, bar.advance)
      const asset = await would(`upload ${file.file} (${sizeText(file.size)}) to ${place}`, sent)
      const message = `Uploaded ${file.name} (${asset.content_type}, ${sizeText(asset.size)}) to ${place}`
      return { status: 'created' as const, message, asset, printed: asset.url }
    },
  }))
  return runJobs(jobs, context, bar)
}
