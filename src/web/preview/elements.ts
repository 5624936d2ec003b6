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

/** A control below its label. */
export const labelled = (text: string, control: HTMLElement, ...more: readonly HTMLElement[]): HTMLElement =>
  element('label', { class: 'control' }, element('span', {}, text), control, ...more)

/** A list of choices; `chosen` gets the index of one. */
export function choice(
  labels: readonly string[],
  selected: number,
  chosen: (index: number) => void,
): HTMLSelectElement {
  const select = element(
    'select',
    {},
    ...labels.map((label, index) => element('option', { value: String(index), selected: index === selected }, label)),
  )
  select.addEventListener('change', () => chosen(select.selectedIndex))
  return select
}
