import { spawnSync } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** Mounts a file or folder at a second path, until the test is over; false where that is not allowed. */
export function mount(from: string, to: string): boolean {
  const { status } = spawnSync('mount', ['--bind', from, to])
  onTestFinished(() => void spawnSync('umount', ['--lazy', to]))
  return status === 0
}
