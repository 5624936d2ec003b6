import type { DayCounts } from './catalog.ts'

interface DayPlotProps {
  /** In order; days without any are left out. */
  readonly days: readonly DayCounts[]
}

/** The latest days that are shown. */
const shownDays = 30
const dayLength = 86_400_000
const size = { width: 150, height: 28 }

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** What was left at the end of each day, of all days. */
function leftBy(days: readonly DayCounts[]): Map<number, number> {
  let left = 0
  return new Map(
    days.map(({ day, count, redeemed, trashed }) => {
      left += count - redeemed - trashed
      return [Date.parse(day), left]
    }),
  )
}

/** Of so many days the number that was left at the end of each; those without changes have that of the day before. */
function leftOf(days: readonly DayCounts[], start: number): number[] {
  const known = [...leftBy(days)]
  return Array.from({ length: shownDays }, (_, index) => {
    const [, left = 0] = known.findLast(([day]) => day <= start + index * dayLength) ?? []
    return left
  })
}

/**
 * Two bars for each of the latest days: as high as what was emitted on it, and as what was redeemed. The line is what was
 * left at the end of each; all of its height is the most of that.
 */
export function DayPlot({ days }: DayPlotProps) {
  const last = days.at(-1)
  if (!last) return <span class="muted">none</span>
  const start = Date.parse(last.day) - (shownDays - 1) * dayLength
  const known = new Map(days.map((one) => [Date.parse(one.day), one]))
  const shown = Array.from({ length: shownDays }, (_, index) => known.get(start + index * dayLength))
  const bars = {
    emitted: shown.map((one) => one?.count ?? 0),
    redeemed: shown.map((one) => one?.redeemed ?? 0),
  }
  const most = Math.max(1, ...bars.emitted, ...bars.redeemed)
  const width = size.width / shownDays / 2
  const left = leftOf(days, start)
  const mostLeft = Math.max(1, ...left)
  const line = left.map((count, index) => {
    const y = size.height - 1 - (count / mostLeft) * (size.height - 2)
    return `${(2 * index + 1) * width},${y.toFixed(1)}`
  })
  return (
    <svg
      class="plot"
      role="img"
      aria-label={`In the ${shownDays} days until ${last.day}: ${sumOf(bars.emitted)} emitted, ${sumOf(bars.redeemed)} redeemed, at most ${most} on a day; ${left.at(-1)} left, at most ${mostLeft}`}
      viewBox={`0 0 ${size.width} ${size.height}`}
    >
      {Object.entries(bars).map(([what, counts], second) =>
        counts.map((count, index) => {
          if (count === 0) return null
          const height = (count / most) * (size.height - 1) + 1
          return (
            <rect
              key={index}
              class={what}
              x={(2 * index + second) * width}
              y={size.height - height}
              {...{ width, height }}
            />
          )
        }),
      )}
      <polyline class="remaining" points={line.join(' ')} />
      <line x1={0} y1={size.height} x2={size.width} y2={size.height} />
    </svg>
  )
}
