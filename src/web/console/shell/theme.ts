import { effect, signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'vatom-theme'
const stored = themes.find((theme) => theme === localStorage.getItem(key))

/** The colours of the page; this browser remembers them. */
export const theme = signal<Theme>(stored ?? 'system')

effect(() => {
  document.documentElement.dataset.theme = theme.value
  localStorage.setItem(key, theme.value)
})
