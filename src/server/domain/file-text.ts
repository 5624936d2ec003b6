// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them
const noText = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/

/** A file as text, or the beginning of one that is cut; undefined where it is not UTF-8 text. */
export function textIn(content: Uint8Array, isCut: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content, { stream: isCut })
    return noText.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
