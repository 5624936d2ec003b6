/** Text as one word of a shell, quoted where it must be: `$publisher::Coffee::v1` in single quotes. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text))

/** Text as one word of a shell, in single quotes. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
