import { isRunning } from '../processes.ts'

/** Milliseconds between two looks at the parent process, whose end no signal announces. */
const interval = 500

/** Ends this process, as SIGTERM does, when its parent has ended. */
export function endWithParent(parent = process.ppid): void {
  const timer = setInterval(() => {
    // Windows leaves the id of an ended parent as it was; other systems give the process another parent.
    if (process.ppid === parent && isRunning(parent)) return
    clearInterval(timer)
    process.emit('SIGTERM', 'SIGTERM')
  }, interval).unref()
}
