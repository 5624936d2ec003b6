import { parseJson } from '../../../contract/unknown-values.ts'

/** A text of several lines, which keys scroll, too. */
export const ScrolledText = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
  <pre tabIndex={0}>{text}</pre>
)

/** A text with its JSON indented; as it is where it is no JSON. */
export function indented(text: string): string {
  const value = parseJson(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
