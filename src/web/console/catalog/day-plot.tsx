interface DayPlotProps {
  /** In order; days without any are left out. */
  readonly days: readonly { readonly day: string; readonly count: number }[]
}

/** The latest days that are shown. */
const shownDays = 30
const dayLength = 86_400_000
const size = { width: 150, height: 28 }

/** A bar for each of the latest days, as high as what was emitted on it. */
export function DayPlot({ days }: DayPlotProps) {
  const last = days.at(-1)
  if (!last) return <span class="muted">none</span>
  const end = Date.parse(last.day)
  const counts = new Map(days.map(({ day, count }) => [Date.parse(day), count]))
  const bars = Array.from(
    { length: shownDays },
    (_, index) => counts.get(end - (shownDays - 1 - index) * dayLength) ?? 0,
  )
  const most = Math.max(...bars)
  const width = size.width / shownDays
  return (
    <svg
      class="plot"
      role="img"
      aria-label={`Emitted in the ${shownDays} days until ${last.day}: ${bars.reduce((sum, count) => sum + count, 0)}, at most ${most} on a day`}
      viewBox={`0 0 ${size.width} ${size.height}`}
    >
      {bars.map((count, index) => {
        const height = (count / most) * (size.height - 2)
        return <rect key={index} x={index * width} y={size.height - 1 - height} width={width - 1} height={height + 1} />
      })}
    </svg>
  )
}
