import type { Discover } from '../../../contract/api/discover.ts'
import {
  type boolOps,
  filterFields,
  filterOps,
  isWholeName,
  privatePrefix,
  scopeKeys,
  vatomTypeKey,
} from '../../../contract/values.ts'
import { type CommandWords, shellWord } from '../shell/shell-word.ts'

type FilterOp = (typeof filterOps)[number]
export type BoolOp = (typeof boolOps)[number]

/** A condition as it is being written. */
export interface Condition {
  /** Tells it from others. */
  readonly id: number
  /** A short name: `category`, `private.colour`. */
  readonly field: string
  readonly op: FilterOp
  /** As it was written: of a value in quotes, what is between them. */
  readonly value: string
  /** How it is joined to the next one. */
  readonly join: BoolOp
}

/** A search as it is being written. */
export interface Draft {
  /** A short name; empty for no scope. */
  readonly scopeKey: string
  readonly scopeValue: string
  readonly conditions: readonly Condition[]
}

const prefix = `${vatomTypeKey}.`
const short = (name: string) => name.replace(prefix, '')
const long = (name: string) => (name.startsWith(privatePrefix) ? name : prefix + name)

/** Fields by their short names; custom ones are written as `private.NAME`. */
export const fields = filterFields.map(short)
export const scopes = scopeKeys.map(short)

/** Comparisons with the sign that each has on the command line. */
export const signs: Readonly<Record<FilterOp, string>> = {
  Eq: '=',
  Ne: '!=',
  Ge: '>=',
  Gt: '>',
  Le: '<=',
  Lt: '<',
  Match: '~',
}

/** A comparison of a select element. */
export const opNamed = (name: string): FilterOp => filterOps.find((op) => op === name) ?? 'Eq'

/** What a condition lacks to be searched for, as a request to whoever writes it; undefined for nothing. */
export function lackOf({ field, op, value }: Pick<Condition, 'field' | 'op' | 'value'>): string | undefined {
  if (field.trim() === '') return 'Not searched: choose a field'
  if (field === privatePrefix) return 'Not searched: write the name of a custom field after private.'
  if (value === '') return 'Not searched: write a value, or "" for an empty one'
  return op === 'Eq' || op === 'Ne' ? nameLack(field, unquoted(value)) : undefined
}

/** What a scope lacks to be searched in; undefined for nothing. */
export function scopeLackOf({ scopeKey, scopeValue }: Draft): string | undefined {
  if (scopeKey === '') return undefined
  if (scopeValue.trim() === '') return 'Not searched: write a value'
  return scopeValue
    .split(',')
    .map((one) => nameLack(scopeKey, one.trim()))
    .find((lack) => lack !== undefined)
}

/** Fields that are names, of which the command line takes a part for the whole, and the service does not. */
const nameFields: ReadonlyMap<string, string> = new Map([
  ['template', 'local.vatom::Tea::v1'],
  ['template_variation', 'local.vatom::Tea::v1::Iced'],
])

function nameLack(field: string, value: string): string | undefined {
  const example = nameFields.get(field)
  const isComplete = example === undefined || value === '' || isWholeName(value)
  return isComplete ? undefined : `Not searched: write the whole name, such as ${example}`
}

/** A search without what is not complete. */
export const completeOf = (draft: Draft): Draft => ({
  scopeValue: draft.scopeValue,
  scopeKey: scopeLackOf(draft) === undefined ? draft.scopeKey : '',
  conditions: draft.conditions.filter((condition) => lackOf(condition) === undefined),
})

/** The body of a search. Spec 4.4. */
export function bodyOf({ scopeKey, scopeValue, conditions }: Draft): Discover {
  return {
    ...(scopeKey !== '' && { scope: { key: long(scopeKey), value: scopeValue } }),
    ...(conditions.length > 0 && {
      filters: [
        {
          filter_elems: conditions.map(({ field, op, value, join }, index) => ({
            field: long(field),
            filter_op: op,
            value: unquoted(value),
            ...(index < conditions.length - 1 && { bool_op: join }),
          })),
        },
      ],
    }),
  }
}

/** The body of a search for one condition alone. */
export const bodyOfOne = (condition: Condition): Discover => bodyOf({ ...noDraft, conditions: [condition] })

export const noDraft: Draft = { scopeKey: '', scopeValue: '', conditions: [] }

/** A search as a command: with flags, or with its body where conditions are joined in both ways. */
export function commandOf(draft: Draft, { vatom, here }: CommandWords): string {
  const { scopeKey, scopeValue, conditions } = draft
  const joins = new Set(conditions.slice(0, -1).map(({ join }) => join))
  if (joins.size > 1) return `printf %s ${shellWord(JSON.stringify(bodyOf(draft)))} | ${vatom} discover -f - ${here}`
  const filters = conditions.map(({ field, op, value }) =>
    shellWord(`${field} ${signs[op]} ${quotedEnds(unquoted(value))}`),
  )
  return [
    `${vatom} discover`,
    ...(scopeKey === '' ? [] : [`--scope ${shellWord(`${scopeKey}=${scopeValue}`)}`]),
    ...filters.map((filter) => `--filter ${filter}`),
    ...(joins.has('Or') ? ['--any'] : []),
    here,
  ].join(' ')
}

/** A value without the quotes around it, as the command line reads it. */
const unquoted = (text: string): string => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text

/** White space at the ends of a value, quotes around it, and an empty value stay where it has quotes around it. */
const quotedEnds = (value: string): string => (/^$|^\s|\s$|^["'].*["']$/s.test(value) ? `"${value}"` : value)
