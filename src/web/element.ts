type Attributes = Readonly<Record<string, string | boolean | undefined>>

/** An element with attributes; true is an empty one, false and undefined are none. Texts stay texts. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value)
  made.append(...content)
  return made
}
