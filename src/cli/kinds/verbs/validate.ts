import { resolve } from 'node:path'
import { Command } from 'commander'
import type { Kind } from '../../../contract/kinds/kind.ts'
import { creationOrder } from '../../../contract/kinds/kinds.ts'
import { wholeRules } from '../../../contract/rules/catalog.ts'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { withoutTokens } from '../../../contract/tokens.ts'
import { type Format, type KindName, publisherPlaceholder } from '../../../contract/values.ts'
import type { ValidatedRow, Validation } from '../../../documents/cache/cached-validation.ts'
import type { Fixed, FixedRun } from '../../../documents/edit/fix.ts'
import { folderFrom, isWithin } from '../../../file-system.ts'
import { catalogPaths } from '../../catalog/catalog-paths.ts'
import type { Context } from '../../context.ts'
import { type DryRunOption, dryRunOption } from '../../dry-run/option.ts'
import { exit, usage } from '../../failure/failure.ts'
import type { Output } from '../../io/output.ts'
import { Styled, shellWord, styled } from '../../io/text.ts'
import type { Make } from '../../noun.ts'
import { localPorts } from '../../service/local-ports.ts'
import { knownPublisher } from '../../service/publisher.ts'
import { hasEnvironmentTokens } from '../../service/target.ts'
import { invalidFailure, noteForeign, noteOthers, refuseInvalid, sourceOf } from '../load-checked.ts'
import { type FormatOption, formatOf, formatOption, maxWarningsOption, printReport, problemLines } from '../problems.ts'
import { type Row, resultsJson } from '../results.ts'
import { rewriting } from '../rewriting.ts'

interface ValidateOptions extends DryRunOption, FormatOption {
  readonly fix?: boolean
  readonly probe?: boolean
  readonly within?: string
}

/** `validate` of a kind: every check that needs no service. */
export const validateCommand =
  (kind: Kind): Make =>
  (context) =>
    validating(kind, context)
      .summary(`check ${kind.name}s without sending them`)
      .description(
        `Check ${kind.name} documents without the service, and report all problems of all files at once. They are also compared with the given documents of other kinds, which are not checked themselves. The comment # vatom-ignore RULE switches a warning off on its own line or on the next one; # vatom-ignore-file RULE at the top of a file switches it off in the whole file.`,
      )

/** `validate` of a kind, or of every kind without one; the caller describes it. */
export function validating(kind: Kind | undefined, context: Context): Command {
  const line = kind ? `vatom ${kind.name} validate` : 'vatom validate'
  return new Command('validate')
    .argument(
      '[file...]',
      'YAML or JSON files, folders, globs, or - for standard input; by default the catalog in this folder',
    )
    .option('--fix', 'correct in the files what can be corrected automatically; print standard input corrected')
    .addOption(dryRunOption())
    .option('--probe', 'request the addresses of resources and faces, and check what they answer')
    .addOption(formatOption())
    .addOption(maxWarningsOption())
    .option(
      '--within <folder>',
      'check the files as part of the catalog in this folder, and report what they break there; all of it, if it has none of them',
    )
    .addHelpText(
      'after',
      `\nExamples:\n  ${line} catalog/\n  ${line} 'catalog/**/*.yaml' --format github\n  ${line} catalog/ --fix\n  ${line} coffee.yaml --within . --max-warnings 0`,
    )
    .action(async (files: string[], options: ValidateOptions) =>
      validate(
        kind,
        await catalogPaths(files.length === 0 ? wholeOf(options) : files, line, context),
        options,
        context,
      ),
    )
}

/** What is checked where no file is named: the catalog of --within, if there is one. */
const wholeOf = ({ within }: ValidateOptions) => (within === undefined ? [] : [within])

async function validate(
  kind: Kind | undefined,
  files: readonly string[],
  options: ValidateOptions,
  context: Context,
): Promise<void> {
  const { output } = context
  if (options.dryRun && !options.fix)
    throw usage('--dry-run can only be used with --fix', 'without --fix nothing is changed')
  const { fix, within } = options
  if (fix && within !== undefined) throw usage('--fix and --within exclude each other', 'first check, then correct')
  const {
    validation: checked,
    fixed,
    stdin,
  } = fix ? await fixAll(kind?.name, files, context) : await checkAll(kind?.name, files, within, context)
  const probe = options.probe && (await import('../probe-addresses.ts')).probed
  const validation = probe ? await probe(checked, kind?.name, files, context) : checked
  output.complain(fixed.map((one) => fixedLine(one, context)))
  if (kind) noteOthers(validation.others, kind, output)
  if (!fix && within === undefined) await noteAlone(kind, files, context)
  if (within !== undefined) await noteOutside(files, within, context)
  if (validation.rows.some(namesPublisher) && (await knownPublisher(context)) === undefined)
    output.note('names are not compared with your publisher domain name, which is not known: set VATOM_PUBLISHER')
  await noteForeign(validation, output, within && `that the catalog in ${within} ignores`)
  const corrected = new Set(options.dryRun ? fixed.map(({ file }) => file) : [])
  const rows = inOrder(validation.rows).map((row) => rowOf(row, corrected))
  const results = {
    ...resultsJson(rows, context.output),
    ...(options.fix && { fixed }),
    ...(stdin !== undefined && { fixed_text: stdin }),
  }
  const failure = await invalidFailure(validation, { maxWarnings: options.maxWarnings, context })
  const format = formatOf(options.format, output)
  if (stdin !== undefined && format === 'text') output.result(null, () => fileLines(stdin, output))
  if (failure !== undefined) return refuseInvalid(results, { ...options, loaded: validation, failure }, output)
  const shown = stdin === undefined ? rows : []
  return printValid({ rows: shown, results, found: validation }, format, output)
}

/** Whether a document names a publisher itself, and so maybe another one. */
const namesPublisher = ({ name }: ValidatedRow): boolean =>
  name.includes('::') && !name.startsWith(publisherPlaceholder)

/** Files that a command line repeats at most. */
const repeated = 3

/** Says how to check single files as part of their catalog: alone, nothing is known of what they refer to. */
async function noteAlone(kind: Kind | undefined, files: readonly string[], { host, output }: Context): Promise<void> {
  const { catalogAbove } = await import('../../../documents/load/catalog-folder.ts')
  const folder = catalogAbove(files, host.cwd)
  if (folder === undefined) return
  const words = files.length > repeated ? ['FILE...'] : files.map(shellWord)
  const within = shellWord(folderFrom(host.cwd, folder))
  const command = `vatom ${kind ? `${kind.name} ` : ''}validate ${words.join(' ')} --within ${within}`
  output.note(styled`checked without the rest of the catalog; to check with it: ${output.hint(command)}`)
}

/** Names the files outside the folder of --within: what they need may be in a catalog of their own. */
async function noteOutside(files: readonly string[], within: string, { host: { cwd }, output }: Context) {
  const folder = resolve(cwd, within)
  const isApart = (path: string) => !isWithin(folder, path) && !isWithin(path, folder)
  const outside = files.filter((file) => file !== '-' && isApart(resolve(cwd, file)))
  if (outside.length === 0) return
  const { nameList } = await import('../../../contract/schema/suggest.ts')
  output.note(
    styled`checked as part of the catalog in ${withoutTokens(within)}, and not in that folder: ${nameList(outside)}`,
  )
}

type Checked = Pick<FixedRun, 'validation' | 'fixed'> & Partial<FixedRun>

async function checkAll(
  noun: KindName | undefined,
  files: readonly string[],
  within: string | undefined,
  context: Context,
): Promise<Checked> {
  const { validateFiles } = await import('../../../documents/cache/cached-validation.ts')
  return { validation: await validateFiles(files, { ...(await optionsOf(noun, context)), within }), fixed: [] }
}

async function fixAll(noun: KindName | undefined, files: readonly string[], context: Context): Promise<Checked> {
  const { fixFiles } = await import('../../../documents/edit/fix.ts')
  const options = await optionsOf(noun, context)
  return rewriting(() => fixFiles(files, { ...options, dryRun: context.dryRun }))
}

const optionsOf = async (noun: KindName | undefined, context: Context) => ({
  ...sourceOf(context),
  noun,
  verbOf: () => 'validate',
  ifWhole: noun === undefined ? wholeRules : [],
  publisher: await knownPublisher(context),
  localPorts: await localPorts(context),
  cacheDir: cacheFolder(context),
  fingerprint: context.host.build,
})

/** The unchanged text of a file; escaped on a terminal. */
const fileLines = (text: string, { isTTY }: Output) => {
  const lines = text.replace(/\n$/, '').split('\n')
  return isTTY ? lines : lines.map((line) => new Styled(line))
}

const fixedLine = ({ file, line, column, rule, before, after }: Fixed, { output, dryRun }: Context) =>
  styled`${output.notePaint.green(`${dryRun ? 'would fix' : 'fixed'}[${rule}]`)} ${file}:${line}:${column}: ${before} -> ${after}`

/** With tokens in the environment, as in pipelines, nothing is written to disk. */
const cacheFolder = ({ host, dirs }: Context) => (hasEnvironmentTokens(host.env) ? undefined : dirs.cache)

/** Rows of documents that others are based on first. */
const inOrder = (rows: readonly ValidatedRow[]) =>
  creationOrder.flatMap(({ name }) => rows.filter(({ kind }) => kind === name))

/** `corrected` are the files that are valid only as a dry run would correct them. */
function rowOf({ valid, ...row }: ValidatedRow, corrected: ReadonlySet<string>): Row {
  const status = valid ? 'valid' : 'invalid'
  return { ...row, status, message: valid && corrected.has(row.file ?? '') ? 'would be valid' : status }
}

interface Valid {
  readonly rows: readonly Row[]
  readonly results: object
  readonly found: Pick<Validation, 'problems' | 'sources'>
}

/** Prints valid documents, then their warnings, and the totals last. */
async function printValid({ rows, results, found }: Valid, format: Format, output: Output): Promise<void> {
  const documents = rows.filter(({ name }) => name !== '')
  if (format === 'json') output.document(results)
  else if (format === 'text') output.report(null, () => documents.map((row) => validLine(row, output)))
  else await printReport({ ...found, exitCode: exit.done }, format, output)
  output.complain(await problemLines(found, output))
  if (documents.length > 1) output.note(totals(documents))
}

/** `would be valid: 1 template; valid: 2 templates, 1 face`. */
const totals = (documents: readonly Row[]): string =>
  [...groupBy(documents, ({ message }) => message)].map(([is, rows]) => `${is}: ${totalOf(rows)}`).join('; ')

/** `200 templates, 40 variations`. */
function totalOf(documents: readonly Row[]): string {
  const counts = groupBy(documents, ({ kind }) => kind)
  return [...counts].map(([kind, { length }]) => plural(length, kind)).join(', ')
}

const validLine = ({ message, kind, name, file }: Row, { paint }: Output) =>
  styled`${paint.green(message)} ${kind} ${name} (${file ?? ''})`
