import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { template } from '../../../contract/kinds/template.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { isWholeName } from '../../../contract/values.ts'
import type { BumpedFile, bumpFiles, FieldChange } from '../../../documents/edit/bump.ts'
import type { Loaded } from '../../../documents/load/loaded.ts'
import { expandPublisher } from '../../../documents/load/names.ts'
import { isWithin, realPath } from '../../../file-system.ts'
import { catalogPaths } from '../../catalog/catalog-paths.ts'
import type { Context } from '../../context.ts'
import { type DryRunOption, dryRunOption } from '../../dry-run/option.ts'
import { exit, Failure, usage } from '../../failure/failure.ts'
import { type Line, quoted, shellLine, shellWord, styled } from '../../io/text.ts'
import type { YesOption } from '../../kinds/confirmations.ts'
import { areFiles, loadAll } from '../../kinds/load-checked.ts'
import { type Row, resultsJson } from '../../kinds/results.ts'
import { writeAll } from '../../kinds/rewriting.ts'
import { namesWith, severalMeant, typedName } from '../../kinds/short-name.ts'
import { checkedName, knownPublisher, resolvedPublisher } from '../../service/publisher.ts'

export const bumpCommand = (context: Context): Command =>
  new Command('bump')
    .summary('write the next version of a template into its files')
    .description(
      'Write the next version of a template, such as ::v2 after ::v1, or a given one, into all files of a catalog: into the template, its variations, faces and actions, and the policies and queries that name it. The template and its variations become drafts again. Comments and layout are preserved. The service is contacted only for what $publisher stands for, where nothing else says it.',
    )
    .argument(
      '<template>',
      'its name, parts of it that no other template of the files has, such as Coffee, or the file that holds it; $publisher:: stands for your own domain',
    )
    .argument('[path...]', 'the files and folders of the catalog; for a name, by default the catalog in this folder')
    .addOption(
      new Option(
        '--to <version>',
        'the version to write, such as v3 if the service has a v2 already (default: the one after)',
      ).argParser(versionFrom),
    )
    .option('--yes', 'do not ask before a draft is bumped')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      "\nExamples:\n  vatom template bump '$publisher::Coffee::v1' catalog/ --dry-run\n  vatom template bump catalog/coffee.yaml catalog/\n  vatom template bump '$publisher::Coffee::v1' catalog/ --to v3",
    )
    .action((template: string, paths: string[], options: BumpOptions) => bump(template, paths, options, context))

interface BumpOptions extends DryRunOption, YesOption {
  /** `v3`. */
  readonly to?: string
}

/** A flag's value as a version of a template: `v3`. */
function versionFrom(text: string): string {
  if (/^v\d{1,15}$/.test(text)) return text
  throw new InvalidArgumentError('it must be a v and a number, such as v3')
}

async function bump(
  given: string,
  others: readonly string[],
  { dryRun = false, yes, to: version }: BumpOptions,
  context: Context,
): Promise<void> {
  if ([given, ...others].includes('-')) throw usage('Standard input cannot be changed', 'name files or folders')
  const isFile = areFiles([given], context)
  const paths = isFile ? others : await catalogPaths(others, `vatom template bump ${shellWord(given)}`, context)
  const publisher = await publisherFor(given, isFile, context)
  const loaded = await loadAll(isFile ? [given, ...paths] : paths, context, Promise.resolve(publisher))
  const from = isFile ? soleTemplate(given, loaded) : await namedTemplate({ given, publisher }, loaded, context)
  const to = await newName(from, version, loaded)
  const bumped = await bumpedFiles(loaded, { from, to, publisher })
  const placed = await placedWithin(templateFirst(bumped, from, loaded), paths, context)
  const { cautionBump, checkRest } = await import('./bump-checks.ts')
  const flags = version === undefined ? [] : ['--to', version]
  const renaming = { from, to, publisher, paths: isFile ? [given, ...paths] : paths, flags, yes }
  await checkRest(bumped, renaming, context)
  await cautionBump(bumped, renaming, loaded, context)
  await writeAll(placed, context)
  const rows = rowsOf(bumped, loaded, dryRun ? unwritten : written)
  const changes = bumped.flatMap((file) => file.changes)
  const done = dryRun ? 'Would bump' : 'Bumped'
  context.output.report({ ...resultsJson(rows, context.output), from, to, dry_run: dryRun, changes }, () => [
    ...changes.map(changeLine),
    styled`${done} ${from} to ${to}: ${plural(changes.length, 'place')} in ${plural(bumped.length, 'file')}`,
  ])
  if (!dryRun) noteNext(renaming.paths, context.output)
}

/** Names the command that shows what the new version changes, as `init` names it for a new catalog. */
function noteNext(paths: readonly string[], { isTTY, note, hint }: Context['output']): void {
  if (isTTY) note(styled`Next: ${hint(shellLine('vatom plan', paths))}`)
}

/** The publisher: known without a request, or in the full name of the template, or else asked of the service. */
async function publisherFor(given: string, isFile: boolean, context: Context): Promise<string | undefined> {
  const known = await knownPublisher(context)
  if (known !== undefined) return known
  return isFile || !isWholeName(given) ? resolvedPublisher(context) : given.split('::')[0]
}

/** Files beginning with that of the template, whose new name is written last: after a killed run, the next one finishes. */
function templateFirst(bumped: readonly BumpedFile[], from: string, { documents }: Loaded): BumpedFile[] {
  const own = documents.find(({ kind, name }) => kind === 'template' && name === from)?.file
  return [...bumped.filter(({ file }) => file === own), ...bumped.filter(({ file }) => file !== own)]
}

/**
 * Files with the folder in which each was found, which it is not written outside of, and throws where it is because of a link;
 * a file that is named may be a link.
 */
async function placedWithin(bumped: readonly BumpedFile[], paths: readonly string[], { host: { cwd } }: Context) {
  const { refuseOutside } = await import('../../catalog/pull/existing-catalog.ts')
  return bumped.map((one) => {
    const path = resolve(cwd, one.file)
    const around = paths.filter((dir) => path !== resolve(cwd, dir) && isWithin(resolve(cwd, dir), path))
    for (const dir of around) refuseOutside(one.file, { dir, cwd })
    const [folder] = around
    return folder === undefined ? one : { ...one, within: realPath(resolve(cwd, folder)) }
  })
}

type Renaming = Parameters<typeof bumpFiles>[1]

async function bumpedFiles({ files }: Loaded, renaming: Renaming): Promise<BumpedFile[]> {
  const { BumpError, bumpFiles } = await import('../../../documents/edit/bump.ts')
  try {
    return bumpFiles(files, renaming)
  } catch (error) {
    if (!(error instanceof BumpError)) throw error
    throw new Failure('file', exit.refused, error.message, { hint: 'nothing was changed', cause: error })
  }
}

function soleTemplate(file: string, { documents }: Loaded): string {
  const found = documents.filter((one) => one.file === file && one.kind === 'template')
  const [first] = found
  if (first !== undefined && found.length === 1) return first.name
  const what = found.length === 0 ? `${file} contains no template` : `${file} holds ${found.length} templates`
  throw usage(what, 'name the template: vatom template bump NAME PATH')
}

/** The template that a name stands for: its whole name, or parts of it that no other template of the files has. */
async function namedTemplate(
  { given, publisher }: { given: string; publisher: string | undefined },
  { documents }: Loaded,
  context: Context,
): Promise<string> {
  const name = expandPublisher(checkedName(given), publisher)
  if (isWholeName(name)) return name
  const names = documents.flatMap((one) => (one.kind === 'template' ? [one.name] : []))
  const meant = namesWith(name, names)
  const [only = name, ...others] = meant
  if (others.length === 0) return only
  throw await severalMeant(typedName(template, given, context), meant, context)
}

/** The name to write: that of the given version, or else of the next one, which no template of the files may have. */
async function newName(from: string, version: string | undefined, { documents }: Loaded): Promise<string> {
  const { nextVersion, withVersion } = await import('../../../documents/edit/versions.ts')
  const templates = documents.filter(({ kind }) => kind === 'template')
  if (!templates.some(({ name }) => name === from)) {
    const { nameList, suggest } = await import('../../../contract/schema/suggest.ts')
    const names = templates.map(({ name }) => name)
    const near = suggest(from, isWholeName(from) ? names : names.flatMap((name) => name.split('::')))
    const meant = near === undefined ? undefined : namesWith(near, names)[0]
    throw new Failure('no_template', exit.invalid, `No template in these files is named ${from}`, {
      hint:
        meant === undefined
          ? `they have: ${nameList(names)}; if it is in another file, name that too`
          : `did you mean ${meant}?`,
    })
  }
  const to = version === undefined ? nextVersion(from) : withVersion(from, version)
  if (to === undefined)
    throw new Failure('no_version', exit.refused, `The name ${from} has no version`, {
      hint: `bump needs a name that ends with a version, such as ::v1; rename the template yourself, for example to ${from}::v2`,
    })
  const taken = templates.find(({ name }) => name === to)
  if (taken !== undefined)
    throw new Failure('name_taken', exit.refused, `${to} already exists in ${taken.file}`, {
      hint: `to write the version after it: vatom template bump ${quoted(to)} PATH`,
    })
  return to
}

type Outcome = Pick<Row, 'status' | 'message' | 'would'>
const written: Outcome = { status: 'updated', message: 'bumped' }
const unwritten: Outcome = { status: 'updated', message: 'would be bumped', would: 'updated' }

/** A row for each document that changes. */
function rowsOf(bumped: readonly BumpedFile[], { documents }: Loaded, outcome: Outcome): Row[] {
  return bumped.flatMap(({ file, changed }) => {
    const own = documents.filter((one) => one.file === file)
    return changed.flatMap((index): Row[] => {
      const one = own[index]
      return one ? [{ file, kind: one.kind, name: one.name, ...outcome, problems: [] }] : []
    })
  })
}

const changeLine = ({ file, line, path, after }: FieldChange): Line => styled`${file}:${line} ${path} -> ${after}`
