import { type Operation, operations } from '../../contract/api/table.ts'

const longest = 2000

/** Text that may stand in a header: printable ASCII; other characters percent-encoded, cut when long. */
export function headerText(parts: readonly string[], separator: string): string {
  const wellFormed = parts.join(separator).replace(/\p{Cs}/gu, '?')
  const text = wellFormed.replace(/[^\x20-\x7e]+/gu, encodeURIComponent)
  return text.length > longest ? `${text.slice(0, longest)}...` : text
}

const assumptions = new Map<Operation, string | undefined>()

/** What an operation assumes, as the value of a header; undefined where it assumes nothing. */
export function assumptionOf(operation: Operation): string | undefined {
  if (assumptions.size === 0)
    for (const [name, { assumed }] of operations) assumptions.set(name, assumed && headerText([assumed], ''))
  return assumptions.get(operation)
}
