import { type Method, methods } from '../../contract/api/methods.ts'

/** The method of a word in whatever case; undefined if it is none. */
export const methodOf = (word: string): Method | undefined => methods.find((one) => one === word.toUpperCase())
