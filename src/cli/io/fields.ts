/** The flag that sets a field: `--first-name` for `first_name`. */
export const flagOf = (field: string): string => `--${field.replaceAll('_', '-')}`

/** The field that a flag sets. */
export const fieldOfFlag = (flag: string): string => flag.slice(2).replaceAll('-', '_')

/** The fields that options set, by their names: an option's `viewMode` is `view_mode`. */
export const fieldsOf = (options: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).map(([option, value]) => [fieldOf(option), value]))

const fieldOf = (option: string) => option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
