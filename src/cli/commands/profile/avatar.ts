import { Command } from 'commander'
import type { Client } from '../../../client/client.ts'
import type { WireFile } from '../../../contract/api/wire.ts'
import { limits } from '../../../contract/limits.ts'
import { avatarTypes } from '../../../contract/values.ts'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { toFailure } from '../../failure/translate.ts'
import { styled } from '../../io/text.ts'
import type { NamedFile } from '../asset/files.ts'

const mebibytes = limits.avatar / 2 ** 20

export const avatarCommand = (context: Context): Command =>
  new Command('avatar')
    .summary('upload your avatar, and print its address')
    .description(
      `Upload a picture that replaces your avatar, and print its address. It must be a PNG, JPEG, GIF or WebP image of at most ${mebibytes} MiB.`,
    )
    .argument('<file>', 'image file; its type is detected from its content, not from its name')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExample:\n  vatom profile avatar me.png')
    .action((file: string) => avatar(file, context))

async function avatar(given: string, context: Context): Promise<void> {
  const { host, output } = context
  const { faultsOf, checkFiles } = await import('../asset/files.ts')
  const found = await checkFiles([given], host.cwd, { noun: 'an avatar', bytes: limits.avatar })
  const files = await Promise.all(found.map(checked))
  const fault = faultsOf(files)
  if (fault) throw fault
  await context.announce()
  const { client, place } = await context.connect()
  for (const file of files)
    await would(`upload ${given} as your avatar to ${place}`, send(file, client, context), 'updated')
  output.note(styled`Uploaded ${given} as your avatar to ${place}`)
  const user = await client.getProfile({}).catch((error: unknown) => warnOfAddress(error, context))
  if (user === undefined) return output.result({}, () => [])
  if ((await context.target()).kind === 'local') output.note('its address answers while vatom serve runs')
  output.result(user, () => [styled`${user.properties.avatar_uri ?? ''}`])
}

/** Warns that the address of the avatar cannot be read: it is uploaded in any case. */
async function warnOfAddress(error: unknown, { host, output }: Context): Promise<undefined> {
  const { message } = await toFailure(error, host)
  output.warn(styled`its address cannot be read: ${message}; to see it: ${output.hint('vatom profile get')}`)
}

async function send(file: NamedFile, client: Client, { host, output }: Context): Promise<void> {
  const [{ transferProgress }, { sendContent }] = await Promise.all([
    import('../../io/progress.ts'),
    import('../../service/upload.ts'),
  ])
  const bar = await transferProgress(output, host, file.size)
  bar.step(`avatar ${file.name}`)
  const upload = (part: WireFile) => client.uploadAvatar({ files: [{ ...part, field: 'avatar' }] })
  await sendContent(file, host.signal, bar.advance, upload).finally(bar.stop)
}

/** The file, with a fault if its content is no image that an avatar can be. */
async function checked(file: NamedFile): Promise<NamedFile> {
  if (file.fault !== undefined) return file
  const { fileTypeFromFile } = await import('file-type/node')
  const found = await fileTypeFromFile(file.path).catch(() => undefined)
  if (found && (avatarTypes as readonly string[]).includes(found.mime)) return file
  const is = found ? `this is ${found.mime}` : 'the type of this file is unknown'
  return { ...file, fault: `an avatar is a PNG, JPEG, GIF or WebP image; ${is}` }
}
