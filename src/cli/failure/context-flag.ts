import { shellWord } from '../io/text.ts'

/** A word behind `logout` or `whoami`, which take none, as the context that it names; undefined for an address. */
export const contextFlag = (word: string): string | undefined =>
  word.includes('@') ? undefined : `--context ${shellWord(word)}`
