import { at } from '../../contract/schema/path.ts'

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
export async function followFrames({ send, on }: Browser, page: Page): Promise<Frames> {
  const busy = new Set<unknown>()
  const sessions = new Map<unknown, unknown>([[page.session, page.id]])
  let look = () => {}
  const note = (frame: unknown, isBusy: boolean) => {
    if (frame === page.id) return
    if (isBusy) busy.add(frame)
    else busy.delete(frame)
    look()
  }
  const follow = async (session: unknown) => {
    await send('Target.setAutoAttach', attaching, session)
    await send('Page.enable', {}, session)
    await send('Page.setLifecycleEventsEnabled', { enabled: true }, session)
  }
  const begin = (session: unknown) => send('Runtime.runIfWaitingForDebugger', {}, session)
  on('Target.attachedToTarget', (params) => {
    const [session, frame] = [at(params, 'sessionId'), at(params, 'targetInfo', 'targetId')]
    if (session === page.session) return
    // A worker needs nothing but to begin. What cannot be followed has ended meanwhile.
    if (at(params, 'targetInfo', 'type') !== 'iframe') return void begin(session).catch(() => {})
    sessions.set(session, frame)
    note(frame, true)
    follow(session)
      .then(() => begin(session))
      .catch(() => note(frame, false))
  })
  on('Target.detachedFromTarget', (params) => {
    const session = at(params, 'sessionId')
    note(sessions.get(session), false)
    sessions.delete(session)
  })
  on('Page.frameAttached', (params) => note(at(params, 'frameId'), true))
  on('Page.frameDetached', (params) => {
    if (at(params, 'reason') === 'remove') note(at(params, 'frameId'), false)
  })
  on('Page.lifecycleEvent', (params) => {
    const name = at(params, 'name')
    // Another document begins; or the one there is has loaded nothing for half a second.
    if (name === 'init' || name === 'networkIdle') note(at(params, 'frameId'), name === 'init')
  })
  const idle = () =>
    new Promise<void>((resolve) => {
      look = () => busy.size === 0 && resolve()
      look()
    })
  // A frame may have ended meanwhile.
  const paint = (session: unknown) =>
    send('Runtime.evaluate', { expression: painting, awaitPromise: true }, session).catch(() => {})
  await follow(page.session)
  return {
    settled: (milliseconds) => {
      const painted = idle().then(() => Promise.all([...sessions.keys()].map(paint)))
      const late = new Promise<false>((resolve) => setTimeout(resolve, milliseconds, false).unref())
      return Promise.race([painted.then(() => true), late])
    },
  }
}
