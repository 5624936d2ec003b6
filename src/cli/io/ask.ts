/** The questions we ask, picked from the library by name so that a bundle holds no others. */
export { confirm, input, password, select } from '@inquirer/prompts'
