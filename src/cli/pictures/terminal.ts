import { type Host, isTerminal } from '../host.ts'
import { pipelineVariable } from '../pipeline.ts'

/** How terminals take pictures, the best first. */
export const protocols = ['kitty', 'iterm2', 'sixel'] as const
export type Protocol = (typeof protocols)[number]

/** A terminal that can show pictures. */
export interface PictureTerminal {
  readonly protocol: Protocol
  /** Of a character, in pixels. */
  readonly cell: { readonly width: number; readonly height: number }
}

/** Milliseconds in which a terminal answers: where pictures are a part of the result, and where they are all of it. */
export const patience = { some: 1_000, all: 5_000 } as const
const usualCell = { width: 10, height: 20 }

/**
 * The terminal that standard output is, if it can show pictures. It is asked once; nothing is written to one that is known
 * to print questions instead of answering them, nor where a program reads, nor by a job in the background, which cannot read
 * the answer. VATOM_PICTURES decides without a question.
 */
export async function pictureTerminal(host: Host, wait: number = patience.some): Promise<PictureTerminal | undefined> {
  const { stdin, stdout, env } = host
  const wanted = env.VATOM_PICTURES
  if (!isTerminal(stdout) || wanted === 'none') return undefined
  const chosen = protocols.find((one) => one === wanted)
  if (chosen !== undefined) return { protocol: chosen, cell: usualCell }
  if (pipelineVariable(env) || mute.test(env.TERM ?? 'dumb') || env.INSIDE_EMACS || printing.test(terminalIn(env)))
    return undefined
  if (!isRaw(stdin) || host.isInBackground()) return undefined
  const isNested = Boolean(env.TMUX || env.STY) || /^(screen|tmux)/.test(env.TERM ?? '')
  return judge(await ask({ stdin, stdout, wait }, isNested), env, isNested)
}

const mute = /^(dumb|linux|cons25|emacs|eterm|vt\d+|ansi|unknown|)$/
const printing = /Apple_Terminal|JetBrains/
const terminalIn = (env: Host['env']) => [env.TERM_PROGRAM, env.TERMINAL_EMULATOR, env.LC_TERMINAL].join(' ')

interface RawSource extends NodeJS.ReadStream {
  setRawMode(isRaw: boolean): this
}
const isRaw = (stdin: Host['stdin']): stdin is RawSource => 'setRawMode' in stdin && stdin.isTTY === true

/** Whether it takes a picture of kitty's protocol; its name. Within tmux and screen these would reach the wrong one. */
const ofItself = '\u001b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\\u001b[>0q'
/** The size of a character, and what it can do. Every terminal answers the last one, after the others. */
const ofAll = '\u001b[16t\u001b[c'

const escapeCode = '\u001b'
const attributes = new RegExp(`${escapeCode}\\[\\?([\\d;]*)c`)
const cellSize = new RegExp(`${escapeCode}\\[6;(\\d+);(\\d+)t`)
const ownName = new RegExp(`${escapeCode}P>\\|([^${escapeCode}]*)`)

interface Asked {
  readonly stdin: RawSource
  readonly stdout: Host['stdout']
  /** Milliseconds. */
  readonly wait: number
}

/** What a terminal answers; nothing where it is gone. What is typed meanwhile is lost, except Ctrl-C. */
async function ask({ stdin, stdout, wait }: Asked, isNested: boolean): Promise<string> {
  let answers = ''
  // A terminal that is closed meanwhile ends its input, and refuses each mode with an error.
  const ends = ['end', 'close', 'error'] as const
  const ignore = () => {}
  stdin.on('error', ignore)
  stdin.setRawMode(true)
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stdin.off('data', take).pause()
      for (const event of ends) stdin.off(event, end)
      resolve()
    }
    const take = (data: Uint8Array | string) => {
      answers += String(data)
      const isStopped = answers.includes('\u0003')
      if (isStopped) process.kill(process.pid, 'SIGINT')
      if (isStopped || attributes.test(answers)) end()
    }
    // What has arrived while this process was busy is read first.
    const timer = setTimeout(() => setImmediate(end), wait)
    stdin.on('data', take)
    for (const event of ends) stdin.once(event, end)
    stdout.write(isNested ? ofAll : ofItself + ofAll)
  })
  stdin.setRawMode(false)
  stdin.off('error', ignore)
  return answers
}

function judge(answers: string, env: Host['env'], isNested: boolean): PictureTerminal | undefined {
  const [, height, width] = cellSize.exec(answers) ?? []
  const cell = { width: Number(width) || usualCell.width, height: Number(height) || usualCell.height }
  const [, name = ''] = ownName.exec(answers) ?? []
  const isFile = !isNested && /iterm2?|wezterm/i.test(`${name} ${terminalIn(env)}`)
  if (answers.includes('\u001b_Gi=31;OK')) return { protocol: 'kitty', cell }
  if (isFile && answers !== '') return { protocol: 'iterm2', cell }
  return attributes.exec(answers)?.[1]?.split(';').includes('4') ? { protocol: 'sixel', cell } : undefined
}
