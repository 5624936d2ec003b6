import { thousands } from '../../../contract/schema/wording.ts'
import { timeText } from '../shell/time-text.ts'

/** What was left to a publisher, and when. */
interface BalancePoint {
  readonly when: string
  readonly balance: number
}

/** The balance of a publisher over time. */
export interface BalanceLine {
  readonly publisher_fqdn: string
  readonly granted: number
  /** How many writes to chains it has. */
  readonly writes: number
  /** In the order of the writes, oldest first. */
  readonly points: readonly BalancePoint[]
}

const size = { width: 600, height: 100 }

/** The balance of a publisher as a line that steps down with each charge. */
export function BalancePlot({ line: { publisher_fqdn, granted, points } }: { readonly line: BalanceLine }) {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const title = `Balance of ${publisher_fqdn}`
  const [top, bottom] = [granted, last.balance].map(thousands)
  return (
    <figure class="balance">
      <figcaption>{title}</figcaption>
      <span class="top">{top}</span>
      <span class="bottom">{bottom === top ? '' : bottom}</span>
      <svg
        role="img"
        aria-label={`${title}: ${top} granted; ${bottom} left at ${last.when}, first charged at ${first.when}`}
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
      >
        <path d={pathOf(granted, points)} />
      </svg>
      <span class="from">{timeText(first.when)}</span>
      <span class="to">{timeText(last.when)}</span>
    </figure>
  )
}

/** Horizontal up to each point, then down to it; from what was granted to the latest balance. */
function pathOf(granted: number, points: readonly BalancePoint[]): string {
  const lowest = points.at(-1)?.balance ?? granted
  const xs = placesOf(points)
  const yOf = (balance: number) => (granted === lowest ? 0 : ((granted - balance) / (granted - lowest)) * size.height)
  const steps = points.map(({ balance }, index) => `H${xs[index]} V${yOf(balance).toFixed(1)}`)
  return `M0 0 ${steps.join(' ')} H${size.width}`
}

/** From left to right by time; by order where all are of one moment. A clock that was set back does not lead back. */
function placesOf(points: readonly BalancePoint[]): string[] {
  const times: number[] = []
  for (const { when } of points) times.push(Math.max(Date.parse(when), times.at(-1) ?? Number.NEGATIVE_INFINITY))
  const [start = 0, end = 0] = [times[0], times.at(-1)]
  const shares = times.map((time, index) => (end > start ? (time - start) / (end - start) : (index + 1) / times.length))
  return shares.map((share) => (share * size.width).toFixed(1))
}
