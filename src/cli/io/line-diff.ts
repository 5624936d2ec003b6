import { isAbsolute } from 'node:path'

/** Unchanged lines that are shown around a change. */
const around = 3
/** Pairs of lines that are compared at most; beyond that, all lines between the first and the last change are replaced. */
const mostPairs = 4_000_000

interface Step {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
}

/** The lines in which a file changes, in the unified format that `patch` and `git apply` read. */
export function lineDiff(file: string, before: string | undefined, after: string): string[] {
  const steps = stepsOf(linesOf(before ?? ''), linesOf(after))
  const named = (side: 'a' | 'b') => (isOutside(file) ? file : `${side}/${file}`)
  return [`--- ${before === undefined ? '/dev/null' : named('a')}`, `+++ ${named('b')}`, ...hunksOf(steps)]
}

/** Whether a path leads out of this folder: `a/../x` would be another one, and no program applies either. */
const isOutside = (file: string): boolean => isAbsolute(file) || /^\.\.(?:[/\\]|$)/.test(file)

const noBreak = '\\ No newline at end of file'

/** The lines of a text; a last one without a line break is followed by the format's words for that. */
function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  const last = lines.pop()
  return last === '' ? lines : [...lines, `${last}\n${noBreak}`]
}

function stepsOf(before: readonly string[], after: readonly string[]): Step[] {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const same = (lines: readonly string[]) => lines.map((line): Step => ({ sign: ' ', line }))
  const [old, fresh] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  return [...same(before.slice(0, head)), ...changed(old, fresh), ...same(before.slice(before.length - tail))]
}

/** The steps from lines to others with as many lines in common as possible. */
function changed(old: readonly string[], fresh: readonly string[]): Step[] {
  const width = fresh.length + 1
  const isLarge = old.length * fresh.length > mostPairs
  const common = new Uint32Array(isLarge ? 0 : (old.length + 1) * width)
  for (let i = old.length - 1; !isLarge && i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === fresh[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0)
  const steps: Step[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < fresh.length) {
    const [line, other] = [old[i], fresh[j]]
    if (!isLarge && line !== undefined && line === other) {
      steps.push({ sign: ' ', line })
      i++
      j++
    } else if (
      line !== undefined &&
      (other === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      steps.push({ sign: '-', line })
      i++
    } else if (other !== undefined) {
      steps.push({ sign: '+', line: other })
      j++
    }
  }
  return steps
}

/** The changes with the lines around them, those that are near each other together. */
function hunksOf(steps: readonly Step[]): string[] {
  const isNear = (index: number) => steps.slice(Math.max(0, index - around), index + around + 1).some(isChange)
  const lines: string[] = []
  let [old, fresh] = [1, 1]
  for (let index = 0; index < steps.length; ) {
    let end = index
    while (end < steps.length && isNear(end) === isNear(index)) end++
    const part = steps.slice(index, end)
    const counts = [
      part.filter(({ sign }) => sign !== '+').length,
      part.filter(({ sign }) => sign !== '-').length,
    ] as const
    if (isNear(index))
      lines.push(
        `@@ -${spot(old, counts[0])} +${spot(fresh, counts[1])} @@`,
        ...part.flatMap(({ sign, line }) => `${sign}${line}`.split('\n')),
      )
    old += counts[0]
    fresh += counts[1]
    index = end
  }
  return lines
}

const isChange = ({ sign }: Step) => sign !== ' '
const spot = (from: number, count: number) => `${count === 0 ? from - 1 : from},${count}`
