import { existsSync } from 'node:fs'

/** The browser of this machine, best the one that never draws a window: its tests take half the time. Undefined: none. */
export const browserPath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
  .filter((path) => path !== undefined)
  .find((path) => existsSync(path))
