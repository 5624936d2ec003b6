/** A word for a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** The options of a command that acts on a service. */
export const serviceOptions = (origin: string, appId: string): string =>
  `--base-url ${origin} --app-id ${shellWord(appId)}`
