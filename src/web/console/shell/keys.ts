import { linkTo } from './route.ts'
import { screens } from './screens.ts'

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
    if (screen) location.hash = linkTo(screen.name)
    else if (event.key === '?') showHelp()
    else if (event.key === '/') {
      event.preventDefault()
      document.querySelector<HTMLElement>('[data-filter]')?.focus()
    }
  }
  addEventListener('keydown', pressed)
  return () => removeEventListener('keydown', pressed)
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
