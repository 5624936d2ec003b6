import { isObject } from '../schema/path.ts'

/** What `vatom init` writes for the publisher to replace, and addresses that exist only in examples (RFC 2606). */
const starters = [/^Describe .+ here\.$/, /^https?:\/\/([\w-]+\.)*example\.(com|net|org)(?=[:/?#]|$)/i]

/** The example texts and addresses in a value, each once, sorted. */
export const starterTexts = (value: unknown): readonly string[] => [...new Set(textsIn(value).filter(isStarter))].sort()

const isStarter = (text: string) => starters.some((starter) => starter.test(text))

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : []
}
