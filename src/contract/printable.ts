/** What most texts have nothing of; a text without it is safe, and no tables of Unicode are loaded to find that out. */
const unusual = /[^\t\n -~]/

/** A text made safe for a terminal: what is unsafe is written as `\u001b`, as JSON escapes it. */
export const printable = (text: string): string => withEscapes(text, escaped)

/** The same in another language, with each unsafe character as that escapes it. */
export const withEscapes = (text: string, write: (character: string) => string): string =>
  unusual.test(text) ? withoutUnsafe(text, write) : text

/** The same on one line: tabs and line breaks are escaped, too. */
export const printableLine = (text: string): string => printable(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')

/**
 * The text of JSON made safe for a terminal, and for every reader of JSON: half of a surrogate pair, which JSON.stringify
 * escapes and many readers refuse, is replaced as Unicode has it.
 */
export const printableJson = (text: string): string => printable(text.includes('\\ud') ? withoutHalves(text) : text)

/** An escaped backslash is no beginning of an escape. */
const withoutHalves = (text: string): string =>
  text.replace(/\\(?:\\|ud[89a-f][\da-f]{2})/g, (found) => (found === '\\\\' ? found : '\\ufffd'))

/**
 * Escapes control characters except tab and newline, what is no character, and characters that break lines, reorder text
 * or are invisible. Joiners and variation selectors remain: scripts and pictographs need them.
 */
const withoutUnsafe = (text: string, write: (character: string) => string): string =>
  text.replace(
    /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb](?<!\t|\n|\u200c|\u200d|[\u180b-\u180d\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])/gu,
    (character) => write(character),
  )

/** Characters as JSON escapes them. */
export const escaped = (characters: string): string => characters.split('').map(escapedUnit).join('')
const escapedUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
