import { onTestFinished, vi } from 'vitest'

/** Work takes so many times as long as here, as far as its steps can see, until the test ends. */
export function slowWork(times: number): void {
  const cpuUsage = process.cpuUsage.bind(process)
  const now = performance.now.bind(performance)
  const usage = vi.spyOn(process, 'cpuUsage').mockImplementation(() => {
    const { user, system } = cpuUsage()
    return { user: user * times, system: system * times }
  })
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() * times)
  onTestFinished(() => {
    usage.mockRestore()
    clock.mockRestore()
  })
}
