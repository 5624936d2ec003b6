import { type Styled, shellWord, styled } from '../io/text.ts'

/** A word between two comparisons. A field and a sign follow it: there is none in `Salt and Pepper`. */
const joint = /\s(and|or|&&?|\|\|?)\s+(?=[^\s=!<>~]+\s*[=!<>~])/i

/** A value that quotes make one text. */
const quoted = /^(["'])[^"']*\1$/

/** A comparison as it is given: its field and sign, and all that follows. */
interface Given {
  readonly field: string
  readonly sign: string
  readonly value: string
}

/** What a comparison means whose value looks like further ones, and how each of them is made; undefined for other values. */
export function joinedText({ field, sign, value }: Given): Styled | undefined {
  const [first = '', ...rest] = value.split(joint)
  if (quoted.test(value) || rest.length === 0) return undefined
  const [joints, others] = [0, 1].map((odd) => rest.filter((_, index) => index % 2 === odd))
  const each = [`${field} ${sign} ${first}`, ...(others ?? [])].map((one) => `--filter ${shellWord(one.trim())}`)
  const isOr = (joints ?? []).map((one) => /^(or|\|)/i.test(one))
  const flag = isOr.includes(false) ? '' : '--any '
  const said = styled`${field} is compared with all of ${value}, as one value`
  return isOr.includes(true) && isOr.includes(false)
    ? styled`${said}; one --filter has one comparison: all of them hold, with --any one of them; for other expressions: vatom discover --file FILE`
    : styled`${said}; for several: ${flag}${each.join(' ')}`
}
