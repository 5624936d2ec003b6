import type { Host } from './host.ts'

/** Signals by which a command is to end. */
const awaited = new WeakSet<AbortSignal>()

/** Whether a run was interrupted that was to end by itself. */
export const isCutShort = ({ signal }: Pick<Host, 'signal'>): boolean => signal.aborted && !awaited.has(signal)

/** Waits for Ctrl-C or a request to terminate. */
export function untilEnded({ signal, termination }: Pick<Host, 'signal' | 'termination'>): Promise<void> {
  awaited.add(signal)
  const any = AbortSignal.any([signal, termination()])
  return new Promise((resolve) => {
    if (any.aborted) resolve()
    else any.addEventListener('abort', () => resolve(), { once: true })
  })
}
