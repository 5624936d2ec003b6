import { element } from '../element.ts'

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
