import { groupBy } from '../../../contract/schema/group-by.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import { plural } from '../../../contract/schema/wording.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import type { Output } from '../../io/output.ts'
import type { Choice } from '../../io/prompt.ts'
import { type Line, operandWord, styled } from '../../io/text.ts'
import { differenceLines } from '../../kinds/difference-lines.ts'
import type { PullOptions } from './pull.ts'
import { pullCommand } from './pull-command.ts'
import type { PulledCatalog, PulledDocument } from './pulled-files.ts'

/** What a person has chosen: the keys of what is left as it is; or why nothing is written. */
interface Chosen {
  readonly left: ReadonlySet<string>
  readonly refusal?: Failure
}

/** What can be taken or left: a document that differs, or what is new of a template. */
interface Part extends Choice {
  readonly documents: readonly PulledDocument[]
}

const everything: Chosen = { left: new Set() }

/** Shows which documents differ; asks about each of them, about new templates that no catalog owns, and where most is new. */
export async function choiceOf(
  { documents, files }: PulledCatalog,
  options: PullOptions,
  dir: string,
  { prompt, output, dryRun }: Context,
): Promise<Chosen> {
  const { yes, force, diff, template, allCatalogs } = options
  for (const { file } of files.filter(({ isRewritten }) => isRewritten))
    output.warn(
      styled`${file} cannot be edited in place, because of its layout: a document of it that changes is written anew, and its comments are lost`,
    )
  const differing = documents.filter(({ status }) => status === 'updated')
  const unowned = documents.filter(({ isUnowned }) => isUnowned)
  const isDecided = yes || force || diff
  const canAsk = prompt.canAsk() && !isDecided
  if (!canAsk) noteUnowned(unowned, pullCommand(dir, options), output)
  const asksOfNew = unowned.length > 0 || (!template && !allCatalogs && isMostlyNew(documents))
  const isOpen = differing.length > 0 || (canAsk && asksOfNew)
  if (isDecided || !isOpen) return everything
  for (const line of differing.flatMap((one) => differingLines(one, output))) output.note(line)
  if (dryRun) return everything
  const parts = partsOf(documents)
  const taken = canAsk ? await answerTo(parts, prompt) : new Set<string>()
  const left = parts.filter(({ value }) => !taken.has(value))
  if (taken.size > 0 || differing.length === 0)
    return { left: new Set(left.flatMap((one) => one.documents.map(({ key }) => key))) }
  return { ...everything, refusal: refusalOf(differing, parts, dir, options) }
}

/** Whether more is new than a folder has, and it has some. */
function isMostlyNew(documents: readonly PulledDocument[]): boolean {
  const created = documents.filter(({ status }) => status === 'created').length
  const there = documents.length - created
  return there > 0 && created > there
}

/** The values of the parts that are taken: a single one is a question for yes or no, several are a list to choose from. */
async function answerTo(parts: readonly Part[], prompt: Context['prompt']): Promise<ReadonlySet<string>> {
  const [first, ...others] = parts
  if (first !== undefined && others.length === 0)
    return new Set((await prompt.confirm(questionOf(first), '--yes', undefined)) ? [first.value] : [])
  return new Set(await prompt.chooseSome('Which of these shall the files take from the service?', '--yes', parts))
}

/** The documents that differ, one by one and not chosen, as they may be edits; then what is new, by template. */
function partsOf(documents: readonly PulledDocument[]): Part[] {
  const created = documents.filter(({ status }) => status === 'created')
  return [
    ...documents.filter(({ status }) => status === 'updated').map(differingPart),
    ...[...groupBy(created, ({ template }) => template)].map(([template, all]) => newPart(template, all)),
  ]
}

const differingPart = (one: PulledDocument): Part => ({
  ...{ value: one.key, documents: [one], checked: false },
  text: `change ${one.kind} ${one.name} (${one.file})`,
})

const newPart = (template: string, documents: readonly PulledDocument[]): Part => {
  const isUnowned = documents.some((one) => one.isUnowned)
  return {
    ...{ value: `new ${template}`, documents, checked: !isUnowned },
    text: `add ${template}, ${plural(documents.length, 'document')}${isUnowned ? ' that no catalog with a name owns' : ''}`,
  }
}

const filesOf = (documents: readonly PulledDocument[]) => nameList([...new Set(documents.map(({ file }) => file))])

/** `1 document differs from the service. Change a.yaml?` */
const questionOf = ({ documents, text }: Part): string =>
  documents.some(({ status }) => status === 'updated')
    ? `${differText(documents)}. Change ${filesOf(documents)}?`
    : `${text.replace(/^add/, 'Add')}: write ${filesOf(documents)}?`

const differText = ({ length }: readonly unknown[]) =>
  `${plural(length, 'document')} ${length === 1 ? 'differs' : 'differ'} from the service`

const differingLines = ({ kind, name, file, changes }: PulledDocument, { paint }: Output): Line[] => [
  styled`  ${paint.yellow('~')} ${kind} ${name} (${file})`,
  ...differenceLines(changes),
]

function refusalOf(
  differing: readonly PulledDocument[],
  parts: readonly Part[],
  dir: string,
  options: PullOptions,
): Failure {
  const command = pullCommand(dir, options)
  const some =
    parts.length > 1 && !options.template ? `; to take only some templates: ${command} --template NAME --yes` : ''
  return new Failure('files_differ', exit.refused, `${differText(differing)}; nothing was written`, {
    hint: `to see the lines: ${command} --diff; to take what the service has: ${command} --yes${some}; to keep what the files say: vatom apply ${operandWord(dir)}`,
  })
}

/** Says which templates come to a catalog with a name although none owns them, and how to leave some out. */
function noteUnowned(unowned: readonly PulledDocument[], command: string, output: Output): void {
  const names = new Set(unowned.map(({ template }) => template))
  if (names.size === 0) return
  output.note(
    styled`${plural(names.size, 'template')} that no catalog with a name owns and no file here has: ${nameList([...names])}; to take only some templates: ${output.hint(`${command} --template NAME`)}`,
  )
}
