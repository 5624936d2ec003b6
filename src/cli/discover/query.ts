import type { Discover } from '../../contract/api/discover.ts'
import { currentUser, type filterOps } from '../../contract/values.ts'
import { expandFieldName } from '../../documents/load/names.ts'
import { usage } from '../failure/failure.ts'

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

/** One comparison of the command line: `category = Coupons`. Spec 4.4. */
export function parseFilter(text: string): Element {
  const parts = /^\s*([^\s=!<>~]+)\s*(!=|>=|<=|=|>|<|~)\s*(.*?)\s*$/s.exec(text)
  if (parts === null)
    throw usage(
      `--filter ${text} is not a comparison`,
      `write FIELD SIGN VALUE, for example 'category = Coupons'; signs: ${Object.keys(signs).join(' ')}`,
    )
  const [, field = '', sign = '', value = ''] = parts
  return { field: expandFieldName(field), filter_op: signs[sign] ?? 'Eq', value: unquote(value) }
}

/** Quotes keep white space at the ends of a value. */
const unquote = (value: string) => /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value

/** A scope of the command line: `owner=$currentuser`. Spec 4.4. */
export function parseScope(text: string): { key: string; value: string } {
  const at = text.indexOf('=')
  if (at < 1) throw usage(`--scope ${text} is not a scope`, "write KEY=VALUE, for example owner='$currentuser'")
  return { key: expandFieldName(text.slice(0, at).trim()), value: text.slice(at + 1).trim() }
}

export const ownScope = { key: expandFieldName('owner'), value: currentUser }
