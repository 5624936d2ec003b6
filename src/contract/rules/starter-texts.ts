import { textsIn } from '../schema/texts-in.ts'

/** What `vatom init` writes for the publisher to replace, and addresses that exist only in examples (RFC 2606). */
const starters = [/^Describe .+ here\.$/, /^https?:\/\/([\w-]+\.)*example\.(com|net|org)(?=[:/?#]|$)/i]

/** The example texts and addresses in a value, each once, sorted. */
export const starterTexts = (value: unknown): readonly string[] =>
  [...new Set(textsIn(value).flatMap(({ text }) => (isStarter(text) ? [text] : [])))].sort()

const isStarter = (text: string) => starters.some((starter) => starter.test(text))
