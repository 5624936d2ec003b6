import { printable } from '../../../contract/printable.ts'

/** Names the page after what it shows, as tabs and the history of a browser have it; what reorders text is escaped. */
export function namePage(shown: string): void {
  document.title = `${printable(shown)} - vatom console`
}
