import { stringify } from 'yaml'
import type { Answers } from './answers.ts'

/** The name of the template, in a document or a single-quoted word of a shell. */
export const templateName = ({ name }: Answers): string => `$publisher::${name}::v1`

/** A text as a value of YAML, quoted where it must be. */
export const scalar = (text: string) => stringify(text, { lineWidth: 0 }).trimEnd()
