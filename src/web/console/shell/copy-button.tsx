import { useSignal } from '@preact/signals'
import { sentenceOf } from './problem.tsx'

interface CopyButtonProps {
  readonly label: string
  readonly text: () => string | Promise<string>
}

/** Copies a text; answers what to say about it. */
const written = (text: string): Promise<string> =>
  navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'The browser does not let it copy',
  )

/** Copies a text, and says so. */
export function CopyButton({ label, text }: CopyButtonProps) {
  const shown = useSignal(label)
  const copy = async () => {
    shown.value = await Promise.resolve(text()).then(
      written,
      (error: unknown) => `Nothing is copied: ${sentenceOf(error)}`,
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
