import { resolve } from 'node:path'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { variationNameMeant } from '../../../contract/rules/name-rules.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { type BumpedFile, bumpFiles } from '../../../documents/edit/bump.ts'
import { isEarlier } from '../../../documents/edit/versions.ts'
import { loadInOrder } from '../../../documents/load/load.ts'
import type { Loaded, LoadedDocument } from '../../../documents/load/loaded.ts'
import { folderFrom } from '../../../file-system.ts'
import { catalogsOf } from '../../catalog/catalog-names.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { shellLine, styled } from '../../io/text.ts'
import { confirmed } from '../../kinds/confirmations.ts'
import { sourceOf } from '../../kinds/load-checked.ts'

/** A template, the name of its next version, and the files that are to name that one. */
interface Bump {
  readonly from: string
  readonly to: string
  readonly publisher: string | undefined
  readonly paths: readonly string[]
  /** Those that chose the version. */
  readonly flags: readonly string[]
  readonly yes: boolean | undefined
}

/** Refuses to bump in a part of a catalog that has a name, if its other files name the template, too. */
export async function checkRest(bumped: readonly BumpedFile[], bump: Bump, context: Context): Promise<void> {
  const { cwd } = context.host
  const { partial, named } = await catalogsOf(bump.paths, [], cwd)
  const folders = partial.filter((folder) => named.has(folder)).map((folder) => folderFrom(cwd, folder))
  if (folders.length === 0) return
  const { files } = await loadInOrder(folders, { ...sourceOf(context), publisher: bump.publisher })
  const changed = new Set(bumped.map(({ file }) => resolve(cwd, file)))
  const rest = bumpFiles(files, bump).filter(({ file }) => !changed.has(resolve(cwd, file)))
  if (rest.length === 0) return
  const others = rest.map(({ file }) => file)
  throw new Failure(
    'part_of_catalog',
    exit.refused,
    `${plural(rest.length, 'other file')} of ${folders.join(' and ')} would still name ${bump.from}: ${nameList(others)}; nothing was changed`,
    {
      hint: `bump it in the whole catalog: ${shellLine('vatom template bump', [bump.from, ...folders, ...bump.flags])}`,
    },
  )
}

/**
 * Asks before a draft is bumped, which needs no next version; where there is nobody to ask, warns. Warns of published
 * documents that change along with the template, of variations whose names stay, and of an earlier version, too.
 */
export async function cautionBump(
  bumped: readonly BumpedFile[],
  { from, to, paths, yes }: Bump,
  { documents }: Loaded,
  context: Context,
): Promise<void> {
  if (isEarlier(to, from)) context.output.warn(styled`${to} is an earlier version than ${from}`)
  for (const one of publishedAlong(bumped, from, documents)) {
    const template = kindOf(one.kind).templateOf(one.value) ?? one.name
    context.output.warn(
      styled`${one.name} says unpublished: false and names ${from}, so ${one.file} changes: what is published cannot. Bump it, too: ${shellLine('vatom template bump', [template, ...paths])}`,
    )
  }
  const isMisnamed = ({ value }: LoadedDocument) => value.template === from && variationNameMeant(value) !== undefined
  for (const { name, value, file } of documents.filter(isMisnamed))
    context.output.warn(
      styled`${name} does not begin with ${from}, so its name stays; if it is published, that is final: in ${file}, write template_variation: ${variationNameMeant({ ...value, template: to }) ?? ''}`,
    )
  const own = documents.find(({ kind, name }) => kind === 'template' && name === from)
  if (own === undefined || own.value.unpublished === false || yes) return
  const reason = `${from} is a draft in ${own.file}: unless it has been published since, it can be changed as it is`
  if (context.prompt.canAsk())
    return confirmed(`${reason}. Write its next version all the same?`, '--yes', yes, context)
  context.output.warn(styled`${reason}, and needs no next version`)
}

/** Documents that change with the template, are not its own, and say that they are published. */
const publishedAlong = (
  bumped: readonly BumpedFile[],
  from: string,
  documents: readonly LoadedDocument[],
): LoadedDocument[] =>
  bumped.flatMap(({ file, changed }) => {
    const own = documents.filter((one) => one.file === file)
    return changed.flatMap((index) => {
      const one = own[index]
      return one?.value.unpublished === false && kindOf(one.kind).templateOf(one.value) !== from ? [one] : []
    })
  })
