import { basename, resolve } from 'node:path'
import { limits } from '../../contract/limits.ts'
import { composed } from '../../contract/schema/composed.ts'
import { rootTypes } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import type { TextAnswer } from '../io/prompt.ts'

type RootType = (typeof rootTypes)[number]

/** The properties of a starter catalog. */
export interface Answers {
  readonly name: string
  readonly title: string
  readonly category: string
  readonly rootType: RootType
  readonly redeemable: boolean
  readonly cloneable: boolean
}

const rootTypeLabels: Readonly<Record<RootType, string>> = {
  'vAtom::vAtomType': 'a regular vAtom',
  'vAtom::vAtomType::FolderContainerType': 'a folder that its owner fills',
  'vAtom::vAtomType::PackageContainerType': 'a package that is opened',
  'vAtom::vAtomType::DiscoverContainerType': 'a container that shows what a search finds',
  'vAtom::vAtomType::DefinedFolderContainerType': 'a folder that comes with vAtoms in it',
}

/** The answers given by flags; the others are asked on a terminal, and have defaults elsewhere. */
export async function answersFrom(dir: string, options: Partial<Answers>, { prompt, host }: Context): Promise<Answers> {
  const asks = prompt.canAsk()
  const text = async (given: string | undefined, question: string, flag: string, answer: Required<TextAnswer>) =>
    given ?? (asks ? await prompt.text(question, flag, answer) : answer.preset)
  const truth = async (given: boolean | undefined, question: string, flag: string) =>
    given ?? (asks ? await prompt.confirm(question, flag, undefined) : false)

  const name = checkedName(
    await text(options.name, 'Name of the template', '--name', {
      preset: nameAfter(basename(resolve(host.cwd, dir))),
      check: checkedName,
    }),
  )
  const title = await text(options.title, 'Title that people see', '--title', {
    preset: spaced(name),
    check: (given) => checkedText(given, '--title'),
  })
  const category = await text(options.category, 'Category that viewers group by', '--category', {
    preset: 'Coupons',
    check: (given) => checkedText(given, '--category'),
  })
  return {
    name,
    title: checkedText(title, '--title'),
    category: checkedText(category, '--category'),
    rootType:
      options.rootType ?? (asks ? await prompt.choose('Kind of vAtom', '--root-type', rootTypeLabels) : rootTypes[0]),
    redeemable: await truth(options.redeemable, 'Can it be redeemed, by its owner or any merchant?', '--redeemable'),
    cloneable: await truth(options.cloneable, 'May its owner share copies of it?', '--cloneable'),
  }
}

function checkedName(name: string): string {
  if (/^\p{L}[\p{L}\p{M}\p{N}_-]*( [\p{L}\p{M}\p{N}_-]+)*$/u.test(name) && [...name].length <= 64) return name
  throw usage(
    `${name} cannot be the name of a template`,
    'begin with a letter, then use letters, digits, single spaces, - and _, at most 64 in all: --name FreeCoffee',
  )
}

function checkedText(text: string, flag: string): string {
  if (text.trim() !== '' && text.length <= limits.name && !/\p{Cc}|\p{Cs}/u.test(text)) return text
  throw usage(`${flag} must be one line of 1 to ${limits.name} characters`)
}

/** A template's name made of a folder's: `FreeCoffee` for `free-coffee`. */
function nameAfter(folder: string): string {
  const words = composed(folder)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
  const name = words.map(capitalized).join('')
  return /^\p{L}/u.test(name) ? [...name].slice(0, 64).join('') : 'Starter'
}

/** `Free coffee` for `FreeCoffee`. */
function spaced(name: string): string {
  const words = name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .trim()
  return capitalized(words)
}

function capitalized(words: string): string {
  const [first = '', ...others] = words
  return first.toUpperCase() + others.join('')
}
