import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { at } from '../../contract/schema/path.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import { codeOf } from '../../file-system.ts'
import { newTemporaryFolder } from '../../temporary-folders.ts'
import { exit, Failure } from '../failure/failure.ts'
import type { Host } from '../host.ts'
import { withoutSecrets } from '../secret-variables.ts'
import { type Frames, followFrames } from './frames.ts'
import { filterRequests, type RequestPolicy } from './request-filter.ts'

const names = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'],
  ...['chromium-headless-shell', 'chrome-headless-shell'],
]
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The browser that draws pictures: that of CHROME_PATH, else the first on the PATH; throws where there is none. */
export function chromiumPath({ env }: Pick<Host, 'env'>): string {
  const found = findChromium({ env })
  if (found !== undefined) return found
  const given = env.CHROME_PATH
  const message = given
    ? `There is no browser at ${given}, which CHROME_PATH names`
    : 'There is no Chromium on the PATH'
  throw noBrowser(message)
}

const noBrowser = (message: string, cause?: unknown) =>
  new Failure('no_browser', exit.refused, message, {
    hint: 'install one: apt-get install chromium; or name one: CHROME_PATH=/path/to/chrome',
    cause,
  })

/** The browser that draws pictures; undefined where there is none. */
export function findChromium({ env }: Pick<Host, 'env'>): string | undefined {
  const given = env.CHROME_PATH
  const onPath = (env.PATH ?? '').split(delimiter).filter(Boolean)
  const candidates = given
    ? [given]
    : [...names.flatMap((name) => onPath.map((folder) => join(folder, name))), ...macPaths]
  return candidates.find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A page in a browser without a window. */
export interface HeadlessPage {
  /** Evaluates an expression in the page, and waits for it. */
  readonly evaluate: (expression: string) => Promise<unknown>
  /** A PNG of an area of the page, with so many pixels for one of the page. */
  readonly picture: (area: Area, scale?: number) => Promise<Buffer>
  readonly open: (url: string) => Promise<void>
  readonly framesSettled: Frames['settled']
  readonly close: () => Promise<void>
}

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** How long a browser may take, and what it may load. */
interface HeadlessOptions {
  /** Undefined: everything. */
  readonly policy?: RequestPolicy | undefined
  /** Seconds until it has to answer a command. */
  readonly timeout: number
  /** Aborts everything. */
  readonly signal: AbortSignal
}

/** Seconds that a script in a page may take beyond that: it waits for what the page loads. */
const scriptTime = 30

/** Models are drawn by the processor, and all else without a detour through what draws them, which takes twice as long. */
export const drawing = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'] as const

/** Starts a browser, and speaks the DevTools protocol to it over pipes. */
export async function openHeadless(path: string, { timeout, signal, policy }: HeadlessOptions): Promise<HeadlessPage> {
  const profile = newTemporaryFolder('preview')
  const flags = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${profile}`, '--hide-scrollbars']
  const plain = ['--no-first-run', '--disable-extensions']
  // Chromium has no sandbox for root, as in most containers.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(path, [...flags, ...plain, ...drawing, ...root, '--window-size=1280,900', 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    detached: hasGroups,
    env: withoutSecrets(process.env),
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const close = async () => {
    kill(child)
    await ended
    // Its other processes end, and write, a little later. What they leave is in the system's folder for temporary files.
    await rm(profile, { recursive: true, force: true, maxRetries: 10 }).catch(() => undefined)
  }
  try {
    await once(child, 'spawn')
    const { send, on } = connection(child, signal)
    if (policy) await filterRequests({ send: (method, params) => send(method, params, { timeout }), on }, policy)
    const { targetId } = record(await send('Target.createTarget', { url: 'about:blank' }, { timeout }))
    const { sessionId } = record(await send('Target.attachToTarget', { targetId, flatten: true }, { timeout }))
    const ask = (method: string, params: object = {}, longer = 0) =>
      send(method, params, { sessionId, timeout: timeout + longer })
    const ofFrame = (method: string, params: object, session: unknown) =>
      send(method, params, { sessionId: session, timeout: timeout + scriptTime })
    const frames = await followFrames({ send: ofFrame, on }, { session: sessionId, id: targetId })
    // All of a vAtom is in the window: what is outside may not be painted.
    await ask('Emulation.setDeviceMetricsOverride', { width: 1280, height: 2600, deviceScaleFactor: 1, mobile: false })
    return {
      open: async (url) => void (await ask('Page.navigate', { url })),
      framesSettled: frames.settled,
      evaluate: async (expression) => {
        const script = { expression, awaitPromise: true, returnByValue: true }
        const answer = await ask('Runtime.evaluate', script, scriptTime)
        const wrong = at(answer, 'exceptionDetails', 'exception', 'description')
        if (wrong !== undefined) throw new Error(String(wrong))
        return at(answer, 'result', 'value')
      },
      picture: async (area, scale = 1) => {
        const clip = { ...area, scale }
        const answer = await ask('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true, clip })
        return Buffer.from(String(at(answer, 'data')), 'base64')
      },
      close,
    }
  } catch (error) {
    await close()
    if (signal.aborted || error instanceof Failure) throw error
    throw noBrowser(`${path} does not work as a browser: ${messageOf(error)}`, error)
  }
}

/** Whether processes that start each other are in a group, which can be ended as one. */
const hasGroups = process.platform !== 'win32'

/** Ends a browser that was started in a group of its own; what starts it can be a script that waits for it. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(hasGroups ? -child.pid : child.pid, 'SIGKILL')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

const unanswered = (seconds: number) =>
  new Failure('no_browser', exit.refused, `The browser did not answer within ${seconds} s`, {
    hint: 'on a slow machine give it more time: --timeout 120; or name another one: CHROME_PATH=/path/to/chrome',
  })

const record = (value: unknown): Record<string, unknown> => Object(value)

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  /** Gives the command up. */
  readonly timer: NodeJS.Timeout
}

/** What a command is for, and the seconds in which it has to be answered. */
interface Sent {
  readonly sessionId?: unknown
  readonly timeout: number
}

/** Receives the parameters of an event, and the session that it is of. */
type Receiver = (params: unknown, session: unknown) => void

/** Sends commands to a browser and resolves with their results, and receives its events; messages end with a zero byte. */
function connection(child: ChildProcess, signal: AbortSignal) {
  const [, , , input, output] = child.stdio
  if (!(input instanceof Writable && output instanceof Readable)) throw new Error('the browser has no pipes')
  const waiting = new Map<number, Waiting>()
  const end = (error: Error) => {
    for (const id of waiting.keys()) taken(id)?.reject(error)
  }
  const taken = (id: number) => {
    const found = waiting.get(id)
    clearTimeout(found?.timer)
    waiting.delete(id)
    return found
  }
  child.once('error', end)
  child.once('exit', (code) => end(new Error(`the browser has ended with ${code}`)))
  signal.addEventListener('abort', () => end(new Error('the browser was stopped')), { once: true })
  input.on('error', () => {})
  let text = ''
  output.setEncoding('utf8').on('data', (part: string) => {
    const messages = (text + part).split('\0')
    text = messages.pop() ?? ''
    for (const message of messages) receive(JSON.parse(message))
  })
  const receivers = new Map<unknown, Receiver>()
  function receive(message: unknown): void {
    receivers.get(at(message, 'method'))?.(at(message, 'params'), at(message, 'sessionId'))
    const answered = taken(Number(at(message, 'id')))
    const wrong = at(message, 'error', 'message')
    if (wrong === undefined) answered?.resolve(at(message, 'result'))
    else answered?.reject(new Error(String(wrong)))
  }
  let last = 0
  const send = (method: string, params: object, { sessionId, timeout }: Sent) =>
    new Promise<unknown>((resolve, reject) => {
      if (signal.aborted || child.exitCode !== null || child.signalCode !== null)
        return reject(new Error('the browser has ended'))
      last += 1
      const timer = setTimeout((id) => taken(id)?.reject(unanswered(timeout)), timeout * 1000, last)
      waiting.set(last, { resolve, reject, timer })
      input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`)
    })
  const on = (event: string, receive: Receiver) => {
    receivers.set(event, receive)
  }
  return { send, on }
}
