import { Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { type DryRunOption, dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { usage } from '../../failure/failure.ts'
import { fieldsOf } from '../../io/option-values.ts'
import { readNewPassword } from '../../io/secret.ts'
import { styled } from '../../io/text.ts'
import { withProfileOptions } from './options.ts'

const newPassword = { flag: '--password-stdin', question: 'New password' }

const otherSessions =
  'On a service of vatom serve, your other sessions, such as that of a pipeline, have ended: sign in again for each'

type Fields = Readonly<Record<string, unknown>>

/** Further options are fields of the profile. */
interface SetOptions extends DryRunOption {
  readonly passwordStdin?: boolean
  readonly file?: string
}

export const setCommand = (context: Context): Command =>
  withProfileOptions(new Command('set'))
    .summary('change your profile')
    .description('Change the given fields of your profile, and show each before and after.')
    .option('--password-stdin', 'read a new password from standard input')
    .option('-f, --file <file>', 'take the fields from a YAML or JSON file, or - for standard input')
    .addOption(dryRunOption())
    .addOption(new Option('--avatar-uri <uri>').hideHelp())
    .addOption(new Option('--nonpush-notification [value]').hideHelp())
    .addOption(new Option('--system-properties <value>').hideHelp())
    .addHelpText('after', '\nExample:\n  vatom profile set --first-name Ada --language en')
    .action((options: SetOptions) => set(options, context))

/** Why some fields of the profile cannot be set. */
const reasons: Readonly<Record<string, string>> = {
  avatar_uri: 'the avatar is uploaded: vatom profile avatar FILE',
  nonpush_notification: 'only the service sets it',
  user_consent: 'apps record it, not publishers',
  system_properties: 'only the service changes them',
  system_properites: 'only the service changes them',
}

async function set({ file, passwordStdin, dryRun: _, ...options }: SetOptions, context: Context): Promise<void> {
  const flags = fieldsOf(options)
  refuseReadOnly(flags)
  const given = {
    ...(file !== undefined && (await fieldsFrom(file, context))),
    ...flags,
    ...(passwordStdin && { password: await readNewPassword(context, newPassword) }),
  }
  if (Object.keys(given).length === 0) throw usage('Nothing to change', 'name a field, for example --first-name')
  const [{ ProfileUpdate }, { checkValue }] = await Promise.all([
    import('../../../contract/api/user.ts'),
    import('../../kinds/load-checked.ts'),
  ])
  const body = await checkValue(ProfileUpdate(), given, { password: '--password-stdin' })
  await context.announce()
  const { client, place } = await context.connect()
  const { properties: before } = await client.getProfile({})
  const names = Object.keys(body)
  const what = [`change your profile on ${place}:`, ...changeLines(names, before, body)].join('\n')
  const after = await would(what, client.updateProfile({ body }))
  for (const name of names.filter((one) => isIgnored(one, { before, wanted: body, after: after.properties })))
    context.output.warn(styled`${name} is what it was: ${place} did not change it`)
  context.output.result(after, () => changeLines(names, before, after.properties))
  if (names.includes('password')) context.output.note(otherSessions)
}

function refuseReadOnly(given: Fields): void {
  for (const field of Object.keys(given))
    if (reasons[field] !== undefined) throw usage(`${field} cannot be set: ${reasons[field]}`)
}

/** The fields that a file sets; fields that cannot be set are problems at their places. */
async function fieldsFrom(file: string, context: Context): Promise<Record<string, unknown>> {
  const [{ loadProfile }, { soleValue, sourceOf }] = await Promise.all([
    import('../../../documents/load/load-known.ts'),
    import('../../kinds/load-checked.ts'),
  ])
  const loaded = await loadProfile(file, sourceOf(context))
  const problems = loaded.problems.map((problem) => {
    const reason = reasons[problem.path]
    if (reason === undefined) return problem
    return { ...problem, rule: 'read-only', message: `${problem.path} cannot be set`, hint: reason }
  })
  return soleValue({ ...loaded, problems }, context)
}

interface Change {
  readonly before: Fields
  readonly wanted: Fields
  readonly after: Fields
}

/** Whether a service left a field as it was that was to be another value. A password is in no answer; what is not there may be empty. */
function isIgnored(name: string, { before, wanted, after }: Change): boolean {
  const [old = '', next, now = ''] = [before, wanted, after].map((fields) => shown(fields[name] || null))
  return name !== 'password' && now === old && now !== next
}

/** Fields before and after a change, as lines; a password is not shown. */
const changeLines = (names: readonly string[], before: Fields, after: Fields): string[] =>
  names.map((name) =>
    name === 'password' ? 'password: changed' : `${name}: ${shown(before[name])} -> ${shown(after[name])}`,
  )

const shown = (value: unknown) => JSON.stringify(value ?? null)
