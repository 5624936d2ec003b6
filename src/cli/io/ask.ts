/** A file of its own, which prompt.ts loads with the first question: the bundle then holds these questions alone. */
export { checkbox, confirm, input, password, search } from '@inquirer/prompts'
export { keyByKey } from './key-by-key.ts'
