/** The digits of a decimal number that count: without its point, its exponent, and zeros around them. */
const digitsOf = (text: string): string =>
  text
    .replace(/e.*$/i, '')
    .replaceAll(/[-+.]/g, '')
    .replace(/^0+/, '')
    .replace(/(?<!0)0+$/, '')

/** Digits that every number keeps. */
const keptDigits = 15

/** Whether a decimal number is rounded when it is read. */
export const isRounded = (source: string, value: number): boolean =>
  source.length > keptDigits &&
  /^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(source) &&
  digitsOf(source) !== digitsOf(String(value))
