import { InvalidArgumentError } from 'commander'

/** A flag's value as a whole number from 0 up. */
export function wholeNumber(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= 0) return value
  throw new InvalidArgumentError('it must be a whole number')
}
