/** Text as one word of a shell, quoted where it must be: `$publisher::Coffee::v1` in single quotes. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text))

/** A path as an argument of a command, which is no option where it begins with a hyphen; `-` alone is standard input. */
export const operandWord = (path: string): string => shellWord(path.replace(/^-(?=.)/, './-'))

/** Text as one word of a shell, in single quotes. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
