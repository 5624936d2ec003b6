import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Whether the window is as narrow as that of a phone. */
export function useNarrow(): Signal<boolean> {
  const query = matchMedia('(max-width: 700px)')
  const isNarrow = useSignal(query.matches)
  useEffect(() => {
    const look = () => {
      isNarrow.value = query.matches
    }
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [])
  return isNarrow
}
