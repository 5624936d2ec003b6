import { linkTo } from './route.ts'
import { type Screen, screens } from './screens.ts'

/** Milliseconds in which the second key of two must follow. */
const pause = 1500

/** Goes to a screen by `g` and its key, and to the filter by `/`. */
export function listenToKeys(showHelp: () => void): () => void {
  let since = Number.NEGATIVE_INFINITY
  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const isSecond = event.timeStamp - since < pause
    since = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
    const screen = isSecond ? screens.find(({ key }) => key === event.key) : undefined
    if (screen) goTo(screen)
    else if (event.key === '?') showHelp()
    else if (event.key === '/') {
      event.preventDefault()
      document.querySelector<HTMLElement>('[data-filter]')?.focus()
    }
  }
  addEventListener('keydown', pressed)
  return () => removeEventListener('keydown', pressed)
}

function goTo({ name }: Screen): void {
  location.hash = linkTo(name)
  focusContent()
}

/** Lets Tab go on within the screen. */
export const focusContent = (): void => document.querySelector<HTMLElement>('#content')?.focus()

/** Whether keys are for what has the focus. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]')
