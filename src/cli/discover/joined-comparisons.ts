import { type Styled, shellWord, styled } from '../io/text.ts'

/** A word between two comparisons. A field and a sign follow it: there is none in `Salt and Pepper`. */
const joint = /\s(and|or|&&?|\|\|?)\s+(?=[^\s=!<>~]+\s*[=!<>~])/i

/** A comparison whose value begins with a quote that nothing ends: the word behind it is within quotes. */
const open = /[=<>~]\s*(["'])(?:(?!\1).)*$/s

/** The field at the beginning of a comparison. */
const fieldOf = (comparison: string) => /^[^\s=!<>~]+/.exec(comparison)?.[0] ?? ''

/** A comparison as it is given: its field and sign, and all that follows. */
interface Given {
  readonly field: string
  readonly sign: string
  readonly value: string
}

/**
 * What a comparison means whose value looks like further ones, and how each of them is made, where its field can be
 * searched; undefined for other values.
 */
export function joinedText(
  { field, sign, value }: Given,
  isSearchable: (field: string) => boolean,
): Styled | undefined {
  const [first = '', ...rest] = value.split(joint)
  const [joints = [], others = []] = [0, 1].map((odd) => rest.filter((_, index) => index % 2 === odd))
  const each = [`${field} ${sign} ${first}`, ...others].map((one) => one.trim())
  if (rest.length === 0 || each.some((one) => open.test(one))) return undefined
  const isOr = joints.map((one) => /^(or|\|)/i.test(one))
  const said = styled`${field} is compared with all of ${value}, as one value`
  if (isOr.includes(true) && isOr.includes(false))
    return styled`${said}; one --filter has one comparison: all of them hold, with --any one of them; for other expressions: vatom discover --file FILE`
  const unknown = each.map(fieldOf).find((one) => !isSearchable(one))
  if (unknown !== undefined) return styled`${said}; ${unknown} cannot be searched`
  const flag = isOr.includes(false) ? '' : '--any '
  return styled`${said}; for several: ${flag}${each.map((one) => `--filter ${shellWord(one)}`).join(' ')}`
}
