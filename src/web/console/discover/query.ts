import type { Discover } from '../../../contract/api/discover.ts'
import {
  type boolOps,
  filterFields,
  filterOps,
  privatePrefix,
  scopeKeys,
  vatomTypeKey,
} from '../../../contract/values.ts'
import { shellWord } from '../shell/shell-word.ts'

type FilterOp = (typeof filterOps)[number]
export type BoolOp = (typeof boolOps)[number]

/** A condition as it is being written. */
export interface Condition {
  /** Tells it from others. */
  readonly id: number
  /** A short name: `category`, `private.colour`. */
  readonly field: string
  readonly op: FilterOp
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
            value,
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
export function commandOf(draft: Draft, target: string): string {
  const { scopeKey, scopeValue, conditions } = draft
  const joins = new Set(conditions.slice(0, -1).map(({ join }) => join))
  if (joins.size > 1) return `printf %s ${shellWord(JSON.stringify(bodyOf(draft)))} | vatom discover -f - ${target}`
  const filters = conditions.map(({ field, op, value }) => shellWord(`${field} ${signs[op]} ${quotedEnds(value)}`))
  return [
    'vatom discover',
    ...(scopeKey === '' ? [] : [`--scope ${shellWord(`${scopeKey}=${scopeValue}`)}`]),
    ...filters.map((filter) => `--filter ${filter}`),
    ...(joins.has('Or') ? ['--any'] : []),
    target,
  ].join(' ')
}

/** White space at the ends of a value, and quotes around it, stay where it has quotes around it. */
const quotedEnds = (value: string): string => (/^\s|\s$|^["'].*["']$/s.test(value) ? `"${value}"` : value)
