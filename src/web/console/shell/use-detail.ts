import type { Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isTyping } from './keys.ts'

/** Closes the detail of what is chosen in a list, as Escape does; the focus goes back to the list. */
export function useDetail(chosen: Signal<string | undefined>): () => void {
  const close = () => {
    chosen.value = undefined
    // On a phone the list is shown again only then.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[role=listbox]')?.focus())
  }
  useEffect(() => {
    const pressed = ({ key, target }: KeyboardEvent) => {
      const isElsewhere = isTyping(target) || document.querySelector('dialog[open]')
      if (key === 'Escape' && chosen.value !== undefined && !isElsewhere) close()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [chosen])
  return close
}
