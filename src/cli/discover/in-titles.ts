import { shellWord } from '../io/text.ts'

/** The command that looks for a word of a shell in titles, which no query of a service compares. */
export const titleSearch = (word: string): string => `vatom inventory --all | grep -iF -- ${word}`

/** How to look for a text in titles; an empty one is left to the reader. */
export const inTitles = (text: string): string =>
  `to look for a text in titles: ${titleSearch(text === '' ? 'TEXT' : shellWord(text))}`
