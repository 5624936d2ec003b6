import { type Line, render, Styled } from './text.ts'

const styles = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const
/** Colours for one stream; without colours, texts stay as they are. */
export type Paint = Readonly<Record<(typeof styles)[number], (text: Line) => Styled>>

export interface ColorChoice {
  /** `--color` or `--no-color`, if given. */
  readonly flag: boolean | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTTY: boolean
}

/** Colours a stream gets: --color, then NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE, CLICOLOR=0, TERM=dumb, then the terminal. */
export function colorLevel({ flag, env, isTTY }: ColorChoice): 0 | 1 {
  if (flag !== undefined) return flag ? 1 : 0
  if (env.NO_COLOR) return 0
  if (isForced(env.FORCE_COLOR) || isForced(env.CLICOLOR_FORCE)) return 1
  if (env.FORCE_COLOR === '0' || env.CLICOLOR === '0' || env.TERM === 'dumb') return 0
  return isTTY ? 1 : 0
}
const isForced = (value: string | undefined) =>
  value !== undefined && value !== '' && value !== '0' && value !== 'false'

/** Paint for a level; chalk is loaded only for colours. */
export async function createPaint(level: 0 | 1): Promise<Paint> {
  if (level === 0) return paintWith((_, text) => text)
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level })
  return paintWith((style, text) => chalk[style](text))
}

function paintWith(apply: (style: (typeof styles)[number], text: string) => string): Paint {
  const entries = styles.map((style) => [style, (text: Line) => new Styled(apply(style, render(text)))] as const)
  return Object.fromEntries(entries) as Paint
}
