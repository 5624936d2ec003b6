// Control characters except tab and newline, line separators, and characters that reorder or hide text on a terminal.
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu

/** A text made safe for a terminal: control and direction characters are written as `\u001b`. */
export const printable = (text: string): string => text.replace(unsafe, escaped)

/** The same on one line: tabs and line breaks are escaped, too. */
export const printableLine = (text: string): string => printable(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')

const escaped = (character: string) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
