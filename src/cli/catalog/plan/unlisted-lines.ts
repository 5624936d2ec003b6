import { nameList } from '../../../contract/schema/suggest.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { sameNameHint } from '../../../documents/load/inputs.ts'
import type { Output } from '../../io/output.ts'
import { type Line, operandWord, quoted, styled } from '../../io/text.ts'
import { withAll } from '../../kinds/draft-contents.ts'
import { earlierThan } from '../versions.ts'
import { isTemplate, type Plan, type Unlisted } from './plan.ts'
import { namings } from './refusals.ts'

/** Records that are in no file; of faces for the viewers of a listed one, a warning says more. */
const withoutDuplicates = ({ steps, unlisted }: Plan): readonly Unlisted[] => {
  const duplicates = new Set(steps.flatMap(({ record }) => (record?.duplicates ?? []).map(({ key }) => key)))
  return unlisted.filter(({ key }) => !duplicates.has(key))
}

/** Records that stay although they are in no file: whose each is, and what deletes it. */
export function unlistedLines(plan: Plan, { paint }: Pick<Output, 'paint'>): Line[] {
  const found = withoutDuplicates(plan)
  if (found.length === 0) return []
  return [
    styled`${paint.dim(`${plural(found.length, 'record')} of this catalog or its templates${found.some(isEarlierOfAnother(plan)) ? ', or of earlier versions of them,' : ''} ${found.length === 1 ? 'is' : 'are'} in no file:`)}`,
    ...withSameNames(found, plan),
  ]
}

/** Whether a record is a template of which the files have a later version, or belongs to one. */
function isEarlierIn({ steps }: Pick<Plan, 'steps'>): (one: Unlisted) => boolean {
  const isEarlier = earlierThan(
    steps.filter(({ document }) => isTemplate(document)).map(({ document }) => document.name),
  )
  return (one) => isEarlier(isTemplate(one) ? one.name : one.template)
}

/** Whether a record is of another catalog, and of none of the templates of the files. */
function isEarlierOfAnother(plan: Plan): (one: Unlisted) => boolean {
  const isEarlier = isEarlierIn(plan)
  return (one) => isOfAnother(one) && isEarlier(one)
}

/** The records that an option to prune leaves, because files elsewhere, or ignored ones, describe them, or may do so in a newer commit of a submodule. */
export const keptLines = (plan: Plan): Line[] => withSameNames(plan.unlisted.filter(isKept), plan)

/** The lines of records, and behind them what to do about other folders with the name of a catalog. */
function withSameNames(unlisted: readonly Unlisted[], plan: Plan): Line[] {
  const { isPartial } = plan
  const isEarlier = isEarlierIn(plan)
  const isOld = (one: Unlisted) => isOnlyPublished(one) && isEarlier(one)
  return [
    ...unlisted.filter((one) => !isOld(one)).map((one) => unlistedLine(one, { isPartial })),
    ...earlierLines(unlisted.filter(isOld)),
    ...sameNameLines(unlisted),
  ]
}

/** What a plan says of all its records. */
type Around = Pick<Plan, 'isPartial'>

/** Whether a record is published, and nothing else is known of it. */
const isOnlyPublished = ({ isPublished, alsoIn, ignoredIn }: Unlisted): boolean =>
  isPublished && alsoIn === undefined && ignoredIn === undefined

/** One line for all records of earlier versions, of which nobody has to do anything. */
function earlierLines(unlisted: readonly Unlisted[]): Line[] {
  if (unlisted.length === 0) return []
  const names = nameList(unlisted.map(({ kind, name }) => `${kind} ${name}`))
  return [styled`  ? of earlier versions, published, ${unlisted.length === 1 ? 'stays' : 'stay'}: ${names}`]
}

/** What to do about each folder with the name of a catalog; of one that an option to prune is refused for, a warning says it. */
function sameNameLines(unlisted: readonly Unlisted[]): Line[] {
  const folders = new Set(unlisted.flatMap((one) => (one.isSameName && isAlsoElsewhere(one) ? (one.alsoIn ?? []) : [])))
  return [...folders].map((folder) => styled`  hint: ${folder} is a catalog of the same name: ${sameNameHint}`)
}

const isKept = (one: Unlisted): boolean =>
  !one.isPublished && (isAlsoElsewhere(one) || one.ignoredIn !== undefined || one.submodule !== undefined)

const isAlsoElsewhere = ({ alsoIn, prunedBy }: Unlisted): boolean => alsoIn !== undefined && prunedBy === undefined

function unlistedLine(one: Unlisted, around: Around): Line {
  const isDeletable = isTemplate(one) || one.staysWithTemplate || isOfAnother(one) || one.prunedBy !== undefined
  return styled`  ? ${one.kind} ${one.name}${isDeletable ? withAll(one.contents) : ''}: ${remedyFor(one, around)}`
}

/** Whose a record is, and what deletes it. */
function remedyFor(one: Unlisted, { isPartial }: Around): string {
  const { kind, key, catalog, prunedBy, isFinal, staysWithTemplate, others, alsoIn, ignoredIn, refusal } = one
  if (one.isPublished) return publishedText(one)
  if (one.submodule !== undefined) return inSubmoduleText(one)
  const also = others === undefined ? '' : `, and what is ${others}`
  const deleting = `vatom ${kind} delete ${quoted(key)} deletes it${also}`
  const stays = isFinal ? '' : ', so it stays'
  if (ignoredIn !== undefined) return `in ${ignoredIn}, which its catalog ignores${stays}; ${deleting}`
  if (alsoIn !== undefined && !one.isSameName) {
    const place = `also in ${alsoIn}${stays}`
    return `${place}; vatom apply ${operandWord(alsoIn)} --take-over makes it of that catalog, ${deleting}`
  }
  const namesake = alsoIn === undefined ? '' : inSameName(alsoIn) + (isAlsoElsewhere(one) ? stays : '')
  if (isOfAnother(one)) return `of the catalog ${catalog}; if there is no such catalog any more: ${deleting}`
  if (namesake) return namesake
  if (isFinal) return deleting
  if (staysWithTemplate) return `stays with its template; ${deleting}`
  if (refusal) return `a ${namings[kind]?.field} of the catalog names it`
  const owner = catalog === undefined ? 'of no known catalog; ' : ''
  return `${owner}${prunedBy}${isPartial ? ' of the whole catalog' : ''} deletes it`
}

/** Whether a record stays only because another catalog owns it, as far as is known. */
const isOfAnother = ({ prunedBy, alsoIn, ignoredIn, submodule, staysWithTemplate }: Unlisted): boolean =>
  [prunedBy, alsoIn, ignoredIn, submodule, staysWithTemplate].every((reason) => reason === undefined)

const inSameName = (folder: string) => `in ${folder}, a catalog of the same name`

/** Of what is published, and no option deletes, where else it is. */
function publishedText({ alsoIn, isSameName, ignoredIn }: Unlisted): string {
  const final = 'published, which is final'
  if (ignoredIn !== undefined) return `${final}, and in ${ignoredIn}, which its catalog ignores`
  if (alsoIn === undefined) return final
  if (isSameName) return `${final}, and ${inSameName(alsoIn)}`
  return `${final}, and also in ${alsoIn}; vatom apply ${operandWord(alsoIn)} --take-over makes it of that catalog`
}

/** Why what a catalog in a submodule owns stays, and where to prune it. */
function inSubmoduleText({ catalog, submodule, isFinal }: Unlisted): string {
  const why = `of the catalog ${catalog} in the submodule ${submodule}, whose repository may have it in a newer commit`
  return isFinal
    ? why
    : `${why}, so it stays; to delete it, apply that catalog with --prune in a checkout of that repository`
}
