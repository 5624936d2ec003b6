import { globalOptions } from '../global-options.ts'

/** The options of every command, as the manual lists them. */
export const optionRows = (): { readonly name: string; readonly meaning: string }[] =>
  globalOptions()
    .filter(({ hidden }) => !hidden)
    .map(({ flags, description, defaultValue }) => ({
      name: flags,
      meaning:
        defaultValue === undefined || typeof defaultValue === 'boolean'
          ? description
          : `${description} (default: ${defaultValue})`,
    }))
