import { useSignal } from '@preact/signals'

interface CopyButtonProps {
  readonly label: string
  readonly text: () => string
}

/** Copies a text, and says so. */
export function CopyButton({ label, text }: CopyButtonProps) {
  const shown = useSignal(label)
  const copy = async () => {
    await navigator.clipboard.writeText(text()).then(
      () => {
        shown.value = 'Copied'
      },
      () => {
        shown.value = 'The browser does not let it copy'
      },
    )
    setTimeout(() => {
      shown.value = label
    }, 1500)
  }
  return (
    <button type="button" onClick={() => void copy()}>
      {shown.value}
    </button>
  )
}
