/**
 * A word for a POSIX shell; with control characters for bash and zsh, in which they are written out: a terminal that pastes
 * them takes them for keys.
 */
export const shellWord = (text: string): string => {
  if (/^[\w./:=@%+-]+$/.test(text)) return text
  return control.test(text) ? `$'${escaped(text)}'` : `'${text.replaceAll("'", `'\\''`)}'`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\0-\x09\x0b-\x1f\x7f-\x9f]/

const escaped = (text: string): string =>
  text
    .replaceAll(/[\\']/g, '\\$&')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is written out
    .replaceAll(/[\0-\x1f\x7f-\x9f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** What commands have in common: the options that name this service, and the tool, with a token. */
export interface CommandWords {
  readonly here: string
  readonly vatom: string
}

/** The tool, as the user of an access token. */
export const vatomWith = (token: string): string => `VATOM_ACCESS_TOKEN=${token} vatom`

/** The options of a command that acts on a service. */
export const serviceOptions = (origin: string, appId: string): string =>
  `--base-url ${origin} --app-id ${shellWord(appId)}`
