import { spawn } from 'node:child_process'
import type { Host } from './host.ts'
import { withoutSecrets } from './secret-variables.ts'

/** The command that opens an address on a platform. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens an address in the browser of this machine, and does not wait for it. Where there is no screen, nothing is opened. */
export function openBrowser(url: string, env: Host['env']): void {
  const [file = 'xdg-open', ...args] = openers[process.platform] ?? []
  if (file === 'xdg-open' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return
  const child = spawn(file, [...args, url], { stdio: 'ignore', detached: true, env: withoutSecrets(env) })
  // The address is printed, too.
  child.on('error', () => {})
  child.unref()
}
