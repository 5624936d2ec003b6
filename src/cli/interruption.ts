import type { Host } from './host.ts'

/** Waits for Ctrl-C or a request to terminate. */
export function untilEnded({ signal, termination }: Pick<Host, 'signal' | 'termination'>): Promise<void> {
  const any = AbortSignal.any([signal, termination()])
  return new Promise((resolve) => {
    if (any.aborted) resolve()
    else any.addEventListener('abort', () => resolve(), { once: true })
  })
}
