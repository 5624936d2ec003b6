import { at } from '../../contract/schema/path.ts'
import { LoadingFrames } from './loading-frames.ts'

/** A browser, as far as the frames of a page are followed in it. */
interface Browser {
  readonly send: (method: string, params: object, session: unknown) => Promise<unknown>
  /** Calls a function with the parameters of each event of a name, and the session that it is of. */
  readonly on: (event: string, receive: (params: unknown, session: unknown) => void) => void
}

/** A page, by its session and by the id of its own frame. */
interface Page {
  readonly session: unknown
  readonly id: unknown
}

/** The frames in a page, such as web faces. */
export interface Frames {
  /**
   * Waits until none of them loads anything any more, also of what it asks for after it was loaded, and each has painted
   * what it has. Answers whether that was so within some milliseconds.
   */
  readonly settled: (milliseconds: number) => Promise<boolean>
}

/** What is attached waits until it is followed: of what has happened before, idleness is not reported as it was. */
const attaching = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }

/** What a browser calls before it paints, twice: what is there at the first time is painted at the second. */
const painting =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined))))'

/** Follows the frames in a page. Those of other origins may be in processes of their own, each with a session. */
export async function followFrames(browser: Browser, page: Page): Promise<Frames> {
  const loading = new LoadingFrames()
  const sessions = new Map([[page.session, page.id]])
  followLoading(browser, page, loading)
  followSessions(browser, sessions, loading)
  await follow(browser, page.session)
  return {
    settled: (milliseconds) => {
      const painted = loading.none().then(() => Promise.all([...sessions.keys()].map((one) => paint(browser, one))))
      const late = new Promise<false>((resolve) => setTimeout(resolve, milliseconds, false).unref())
      return Promise.race([painted.then(() => true), late])
    },
  }
}

/** Follows which frames of a page load something. */
function followLoading({ on }: Browser, page: Page, loading: LoadingFrames): void {
  on('Page.frameAttached', (params) => loading.add(at(params, 'frameId')))
  on('Page.frameDetached', (params) => {
    if (at(params, 'reason') === 'remove') loading.remove(at(params, 'frameId'))
  })
  on('Page.lifecycleEvent', (params) => {
    const [name, frame] = [at(params, 'name'), at(params, 'frameId')]
    if (frame === page.id) return
    // Another document begins; or the one there is has loaded nothing for half a second.
    if (name === 'init') loading.add(frame)
    if (name === 'networkIdle') loading.remove(frame)
  })
}

/** Follows frames that get a process of their own: which frame each session is of. */
function followSessions(browser: Browser, sessions: Map<unknown, unknown>, loading: LoadingFrames): void {
  browser.on('Target.attachedToTarget', (params) => {
    const [session, frame] = [at(params, 'sessionId'), at(params, 'targetInfo', 'targetId')]
    if (sessions.has(session)) return
    // A worker needs nothing but to begin. What cannot be followed has ended meanwhile.
    if (at(params, 'targetInfo', 'type') !== 'iframe') return void begin(browser, session).catch(() => {})
    sessions.set(session, frame)
    loading.add(frame)
    follow(browser, session)
      .then(() => begin(browser, session))
      .catch(() => loading.remove(frame))
  })
  browser.on('Target.detachedFromTarget', (params) => {
    const session = at(params, 'sessionId')
    loading.remove(sessions.get(session))
    sessions.delete(session)
  })
}

/** Has the browser report what happens in a session. */
async function follow({ send }: Browser, session: unknown): Promise<void> {
  await send('Target.setAutoAttach', attaching, session)
  await send('Page.enable', {}, session)
  await send('Page.setLifecycleEventsEnabled', { enabled: true }, session)
}

/** Lets what waits until it is followed begin. */
const begin = ({ send }: Browser, session: unknown) => send('Runtime.runIfWaitingForDebugger', {}, session)

/** Waits until a session has painted what it has. Its frame may have ended meanwhile. */
const paint = ({ send }: Browser, session: unknown) =>
  send('Runtime.evaluate', { expression: painting, awaitPromise: true }, session).catch(() => {})
