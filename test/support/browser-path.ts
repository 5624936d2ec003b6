import { existsSync } from 'node:fs'

/** The browser of this machine; undefined if there is none. */
export const browserPath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
  .filter((path) => path !== undefined)
  .find((path) => existsSync(path))
