import { Command, Option } from 'commander'
import type { Client } from '../../client/client.ts'
import { variation } from '../../contract/kinds/variation.ts'
import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import { insideText, plural } from '../../contract/schema/wording.ts'
import { isWholeName } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { exit, Failure } from '../failure/failure.ts'
import { type Hint, hinted } from '../failure/hinted.ts'
import { failureJson, shownFailure } from '../failure/report.ts'
import { numberFrom } from '../io/option-values.ts'
import type { Output } from '../io/output.ts'
import { shellWord, styled } from '../io/text.ts'
import type { YesOption } from '../kinds/confirmations.ts'
import { missingRecord } from '../kinds/missing.ts'
import { ifFound, readRecord } from '../kinds/requests.ts'
import { chosenName, meantName, typedName } from '../kinds/short-name.ts'
import { fullName, signedInPublisher } from '../service/publisher.ts'

export const command = (context: Context): Command =>
  new Command('emit')
    .description('Make vAtoms from a variation, put them into your inventory, and print their ids, one per line.')
    .argument(
      '[variation]',
      "the variation's name; $publisher:: stands for your own domain; or a whole part of it between :: that no other variation has, such as FreeTea; on a terminal you can choose it",
    )
    .addOption(
      new Option('--num <n>', `how many, at most ${limits.emit}`).default(1).argParser(numberFrom(1, limits.emit)),
    )
    .option('--yes', 'do not ask before more than a thousand on a terminal')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExamples:\n  vatom emit acme.com::Coffee::v1::Latte --num 100\n  vatom emit Latte')
    .action(async (given: string | undefined, options: EmitOptions) =>
      emit(given ?? (await chosenName(variation, 'vatom emit VARIATION', context)), options, context),
    )

interface EmitOptions extends YesOption {
  readonly num: number
}

async function emit(given: string, options: EmitOptions, context: Context): Promise<void> {
  const name = await fullName(given, context)
  const meaning = { ...typedName(variation, given, context), given: name }
  await context.announce()
  if (!isWholeName(name)) return emitWhole(await meantName(meaning, context), options, context)
  try {
    await emitWhole(name, options, context)
  } catch (error) {
    if (!(error instanceof Failure && ['missing_reference', 'not_found'].includes(error.code))) throw error
    const meant = await meantName(meaning, context).catch((reason: unknown) => {
      throw reason instanceof Failure && reason.code === 'ambiguous_name' ? reason : error
    })
    await emitWhole(meant, options, context)
  }
}

/** More vAtoms than these are a mistake more often than not: a person at a terminal is asked. */
const many = 1000

async function emitWhole(template_variation: string, { num, yes }: EmitOptions, context: Context): Promise<void> {
  const { client, place } = await context.connect()
  const what = `${plural(num, 'vAtom')} of ${template_variation} on ${place}`
  const missing = missingRecord(client, variation, template_variation)
  if (num > many && !yes && context.prompt.canAsk()) {
    // Nothing is asked about a variation that does not exist.
    await hinted(readRecord(client, variation, template_variation), { notFound: missing })
    await (await import('../kinds/confirmations.ts')).confirmed(`Emit ${what}?`, '--yes', yes, context)
  }
  const emitted = hinted(client.emit({ body: { template_variation, num } }), {
    missingReference: missingHint(client, template_variation),
    foreignRecord: foreignHint(template_variation, context),
    draftLimit: publishHint(client, template_variation, num),
  })
  const payload = await would((answer) => `emit ${what}${insideText(Number(at(answer, 'num_contents') ?? 0))}`, emitted)
  const { output } = context
  const failure = failureOf(payload, num)
  const result = { ...payload, ...(failure && { error: failureJson(failure, output) }) }
  output.result(result, () => (output.isTTY ? screenful(payload.ids, template_variation, output) : payload.ids))
  if (failure) throw shownFailure(failure, output)
  if (output.quiet) return
  const inside = payload.num_contents ?? (await contentsCount(client, payload.ids))
  const made = `${plural(payload.num_created, 'vAtom')} of ${template_variation} on ${place}`
  output.note(styled`Emitted ${made}${insideText(inside)}`)
}

/** The failure of an emission of which a service, unlike this package's own, left some out, whether it says so or not. */
function failureOf(
  { num_created, num_errors }: { readonly num_created: number; readonly num_errors: number },
  num: number,
): Failure | undefined {
  const missing = Math.max(num_errors, num - num_created)
  if (missing === 0) return undefined
  const message = `${missing} of ${num} vAtoms were not emitted`
  return num_created > 0
    ? new Failure('partly_done', exit.partial, message)
    : new Failure('not_emitted', exit.refused, message)
}

/**
 * How many vAtoms came to be inside others, where a service does not say so: of a few that is read, of many it would take
 * a request for each. What was emitted is reported in any case.
 */
async function contentsCount(client: Client, ids: readonly string[]): Promise<number> {
  if (ids.length > shown) return 0
  const { contentsById } = await import('../vatoms/contents.ts')
  const found = await contentsById(client, ids).catch(() => new Map<string, readonly unknown[]>())
  return [...found.values()].reduce((sum, { length }) => sum + length, 0)
}

/** The name may exist: then one in a `child_policy` is missing, which its files create. */
const missingHint =
  (client: Client, name: string): Hint =>
  async () => {
    const record = await ifFound(readRecord(client, variation, name)).catch(() => undefined)
    if (record === undefined) return missingRecord(client, variation, name)()
    return 'create it from its files: vatom apply PATH; to list what exists: vatom variation list'
  }

/** What emits a variation of another publisher, or one whose vAtoms would contain those of another. */
const foreignHint =
  (name: string, context: Context): Hint =>
  async () => {
    const publisher = await signedInPublisher(context)
    return name.startsWith(`${publisher}::`)
      ? `vAtoms contain only those of their own publisher: name a variation of ${publisher} in the child_policy, and apply it: vatom apply PATH`
      : 'only its own publisher emits it: to do so, sign in as an administrator of that: vatom login --context NAME'
  }

/** How to publish what limits the emission: the variation itself, or drafts that its vAtoms contain. */
const publishHint =
  (client: Client, name: string, num: number): Hint =>
  async () => {
    const { waysAround } = await import('../kinds/draft-limit.ts')
    // The failure that this hint belongs to is reported; a failure to read the drafts is not.
    const ways = await waysAround(client, name, num).catch(() => undefined)
    if (ways === undefined || ways.commands.length === 0)
      return 'publish the draft that the error names; to see all drafts: vatom variation list'
    const order = ways.commands.length === 1 ? '' : ', in this order'
    return [
      ...(ways.hasRoom ? ['emit fewer'] : []),
      ...(ways.fitsAnew ? ['delete the draft, with its vAtoms, and create it again'] : []),
      `publish what limits it${order}, which is final: ${ways.commands.join('; ')}`,
    ].join('; or ')
  }

/** Ids that a terminal shows; a pipe and --json get all. */
const shown = 20

const screenful = (ids: readonly string[], variation: string, { hint }: Output): readonly string[] =>
  ids.length <= shown
    ? ids
    : [
        ...ids.slice(0, shown),
        `and ${ids.length - shown} more; to list all of this variation:`,
        // In a line of its own, it is less often broken.
        hint(`vatom discover --mine --all --filter ${shellWord(`template_variation = ${variation}`)}`),
      ]
