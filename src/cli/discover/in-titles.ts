import { shellWord } from '../io/text.ts'

/** How to look for a text in titles, which no query of a service compares; an empty one is left to the reader. */
export const inTitles = (text: string): string =>
  `to look for a text in titles: vatom inventory --all | grep -iF -- ${text === '' ? 'TEXT' : shellWord(text)}`
