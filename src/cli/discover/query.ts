import type { Discover } from '../../contract/api/discover.ts'
import { limits } from '../../contract/limits.ts'
import {
  currentUser,
  extraSearchFields,
  filterFields,
  type filterOps,
  privatePrefix,
  scopeKeys,
  vatomTypeKey,
} from '../../contract/values.ts'
import { expandFieldName } from '../../documents/load/names.ts'
import { retyped } from '../command-line.ts'
import type { Context } from '../context.ts'
import { type Failure, usage } from '../failure/failure.ts'
import { type Styled, shellWord, styled } from '../io/text.ts'
import { inTitles } from './in-titles.ts'
import { joinedText } from './joined-comparisons.ts'

type FilterOp = (typeof filterOps)[number]
export type Element = NonNullable<Discover['filters']>[number]['filter_elems'][number]

const signs: Readonly<Record<string, FilterOp>> = {
  '=': 'Eq',
  '!=': 'Ne',
  '>=': 'Ge',
  '>': 'Gt',
  '<=': 'Le',
  '<': 'Lt',
  '~': 'Match',
}

/** The sign of a comparison on the command line. */
export const signOf = (op: FilterOp): string => Object.keys(signs).find((sign) => signs[sign] === op) ?? op

const filterable: readonly string[] = [...filterFields, ...extraSearchFields]
/** A misspelling that clients send. */
const misspelled = 'acquireable'

const isAmong = (known: readonly string[], field: string) =>
  known.includes(expandFieldName(field)) || field.startsWith(privatePrefix)

/** Whether a field can be compared, by its short name, too. */
const isFilterable = (field: string) => isAmong(filterable, field)

/** A field that an option compares with a value. */
interface Compared {
  readonly flag: '--filter' | '--scope'
  readonly field: string
  readonly value: string
}

/** Throws a usage error that names the fields, for a field that no search knows. Spec 4.4. */
async function checkSearchable({ flag, field, value }: Compared, known: readonly string[]): Promise<void> {
  if (isAmong(known, field)) return
  const names = [...new Set(known.map((name) => name.replace(`${vatomTypeKey}.`, '')))].filter(
    (name) => name !== misspelled,
  )
  const { suggest } = await import('../../contract/schema/suggest.ts')
  const isTitle = field === 'title'
  const meant =
    suggest(field, isTitle ? names : [...names, 'title']) ?? names.find((name) => name.endsWith(`_${field}`))
  const custom = /^[\w-]+$/.test(field) ? `${privatePrefix}${field}` : `${privatePrefix}NAME`
  const fields = `${meant === undefined ? '' : `did you mean ${meant}? `}fields: ${names.join(', ')}`
  const titles = isTitle || meant === 'title' ? [inTitles(unquote(value))] : []
  throw usage(`${flag}: ${field} cannot be searched`, [fields, `a custom field: ${custom}`, ...titles].join('; '))
}

/** Signs of other languages. */
const otherSigns: Readonly<Record<string, string>> = { '==': '=', '<>': '!=', '=>': '>=', '=<': '<=', '=~': '~' }

/** Throws a usage error where what follows the sign looks like more of it: in quotes it is a value. */
function checkSign(text: string, { field, sign, value }: { field: string; sign: string; value: string }): void {
  const [, more, rest = ''] = /^([=<>~!]+)\s*(.*)$/s.exec(value) ?? []
  if (more === undefined) return
  const meant = otherSigns[`${sign}${more}`]
  const others = `write FIELD SIGN VALUE; signs: ${Object.keys(signs).join(' ')}; a value that begins so has quotes`
  throw usage(
    `--filter ${text}: ${sign}${more} is no sign`,
    meant === undefined ? others : `did you mean ${shellWord(`${field} ${meant} ${rest}`)}?`,
  )
}

/** Words of other languages for signs. */
const otherWords: Readonly<Record<string, string>> = {
  ...{ like: '~', ilike: '~', contains: '~', matches: '~' },
  ...{
    is: '=',
    'is not': '!=',
    eq: '=',
    equals: '=',
    ne: '!=',
    gt: '>',
    ge: '>=',
    gte: '>=',
    lt: '<',
    le: '<=',
    lte: '<=',
  },
}

/** A comparison that has a word in the place of its sign, in parts: `title like tea%` is `title`, `~` and `tea`. */
function worded(text: string): (Omit<Compared, 'flag'> & { readonly sign: string }) | undefined {
  const [, field = '', word = '', given = ''] = /^(\S+)\s+(is\s+not|[a-z]+)\s+(.+)$/i.exec(text.trim()) ?? []
  const known = word.toLowerCase().replace(/\s+/, ' ')
  const sign = Object.hasOwn(otherWords, known) ? otherWords[known] : undefined
  if (sign === undefined) return undefined
  const value = unquote(given)
  return { field, sign, value: sign === '~' ? value.replace(/^[%*]+|[%*]+$/g, '') : value }
}

/** What signs cannot say. */
const noSign = {
  null: 'no sign compares with what is not there',
  not: 'no sign finds what does not contain a text',
}

/** Whether a comparison is for what does not contain a text: `category not like x`. */
const isNegated = (text: string): boolean => /^\s*\S+\s+(is\s+)?not\s+(like|ilike|contains|matches)\s/i.test(text)

/** The failure of a text that compares no field; one without a sign may be meant as what titles have. */
function noComparison(text: string): Failure {
  const fault = `--filter ${text} is not a comparison`
  const form = `write FIELD SIGN VALUE, for example 'category = Coupons'; signs: ${Object.keys(signs).join(' ')}`
  const meant = worded(text)
  if (/[=<>~]/.test(text)) return usage(fault, form)
  const without = meant?.value.toLowerCase() === 'null' ? noSign.null : isNegated(text) ? noSign.not : undefined
  if (without) return usage(fault, `${form}; ${without}: vatom discover --all --json has all fields of all vAtoms`)
  if (meant && isFilterable(meant.field))
    return usage(fault, `did you mean ${shellWord(`${meant.field} ${meant.sign} ${meant.value}`)}?`)
  const isOfTitle = meant && (meant.field === 'title' || meant.sign === '~')
  return usage(fault, `${form}; ${inTitles(isOfTitle ? meant.value : text.trim())}`)
}

/** One comparison of the command line: `category = Coupons`. Spec 4.4. */
export async function parseFilter(text: string, context: Context): Promise<Element> {
  const parts = /^\s*([^\s=!<>~]+)\s*(!=|>=|<=|=|>|<|~)\s*(.*?)\s*$/s.exec(text)
  if (parts === null) throw noComparison(text)
  const [, field = '', sign = '', value = ''] = parts
  checkSign(text, { field, sign, value })
  await checkSearchable({ flag: '--filter', field, value }, filterable)
  const key = expandFieldName(field)
  const filter_op = signs[sign] ?? 'Eq'
  const given = unquote(value)
  const joined = joinedText({ field, sign, value }, isFilterable)
  if (joined) context.output.note(joined)
  if (!isEquality(filter_op)) return { field: key, filter_op, value: given }
  if (!joined && given === value && value.includes(',')) context.output.note(wholeText(field, sign, value))
  const { meantValue } = await import('./search-values.ts')
  const commandWith = (meant: string) => retyped(context.typed, text, `${field} ${sign} ${meant}`)
  return { field: key, filter_op, value: await meantValue({ value: given, key, field, commandWith }, context) }
}

/** What a comparison with a list means: scopes take one, and filters do not. Spec 4.4. */
function wholeText(field: string, sign: string, value: string): Styled {
  const each = value.split(',').map((part) => `--filter ${shellWord(`${field} ${sign} ${part.trim()}`)}`)
  const several = sign === '=' ? `--any ${each.join(' ')}` : each.join(' ')
  return styled`${field} is compared with all of ${value}, as one value; for several: ${several}`
}

const isEquality = (op: FilterOp) => op === 'Eq' || op === 'Ne'

/** Quotes keep white space at the ends of a value. */
const unquote = (value: string) => /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value

/** A scope of the command line: `owner=$currentuser`. Spec 4.4. */
export async function parseScope(text: string, context: Context): Promise<{ key: string; value: string }> {
  const at = text.indexOf('=')
  if (at < 1) throw usage(`--scope ${text} is not a scope`, "write KEY=VALUE, for example owner='$currentuser'")
  const field = text.slice(0, at).trim()
  await checkSearchable({ flag: '--scope', field, value: text.slice(at + 1).trim() }, [...scopeKeys, ...filterable])
  const key = expandFieldName(field)
  const { meantValue } = await import('./search-values.ts')
  const given = text
    .slice(at + 1)
    .trim()
    .split(',')
  // The query is refused as a whole: what each of them is does not matter.
  if (given.length > limits.scopeValues) return { key, value: given.join(',') }
  const [only = '', ...others] = given
  const joined = others.length > 0 ? undefined : joinedText({ field, sign: '=', value: only }, isFilterable)
  const note = joined ?? (/,\s/.test(text) ? eachText(field, given) : undefined)
  if (note && isFilterable(field)) context.output.note(note)
  const values: string[] = []
  for (const [place, value] of given.entries()) {
    const commandWith = (meant: string) => retyped(context.typed, text, `${field}=${given.with(place, meant)}`)
    values.push(await meantValue({ value, key, field, commandWith }, context))
  }
  return { key, value: values.join(',') }
}

/** What a text with a comma means as a scope, where it may be meant as one value. Spec 4.4. */
function eachText(field: string, given: readonly string[]): Styled {
  const whole = `${field} = "${given.join(',')}"`
  return styled`${field} is compared with each of ${given.map((one) => one.trim()).join(' and ')}; with the whole text: --filter ${shellWord(whole)}`
}

export const ownScope = { key: expandFieldName('owner'), value: currentUser }
