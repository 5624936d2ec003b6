import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ownFolder } from '../../bin/own-files.js'
import type { Host } from './host.ts'
import { withoutSecrets } from './secret-variables.ts'

/**
 * Opens an address in the browser of this machine, and does not wait for it. Where there is no screen, nothing is opened, and
 * nothing where its key would be read by others: all users of a machine can read the arguments of a program, except on Windows.
 */
export function openBrowser(url: string, { env, home }: Pick<Host, 'env' | 'home'>): void {
  const command = openerOf(url, { env, home })
  if (command) start(command, env)
}

/** The command that opens an address on this platform; undefined where it is not to be opened. */
function openerOf(url: string, { env, home }: Pick<Host, 'env' | 'home'>): readonly string[] | undefined {
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
  if (opener === 'xdg-open' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return undefined
  const page = pageTo(url, home)
  return page && ['sh', '-c', openAndRemove, page.folder, opener, page.file]
}

/** Seconds in which a browser that is slow to start has read the page. */
const patience = 60

/** Runs a program, and removes a folder later: this process may have ended by then. */
const openAndRemove = `(sleep ${patience}; rm -rf "$0") & exec "$@"`

interface Page {
  readonly folder: string
  readonly file: string
}

/**
 * A page for this user alone that leads on to an address; undefined where it cannot be made. It is in a folder of the home that
 * is not hidden: browsers that are kept apart from the system read nothing else.
 */
function pageTo(url: string, home: string): Page | undefined {
  const own = ownFolder(home)
  if (own === undefined) return undefined
  try {
    const folder = mkdtempSync(join(own, 'vatom-link-'))
    return { folder, file: written(join(folder, 'open.html'), htmlTo(url)) }
  } catch {
    return undefined
  }
}

/** The path of a file that only this user can read, once it has its content; else its folder is removed. */
function written(file: string, content: string): string {
  try {
    writeFileSync(file, content, { mode: 0o600, flag: 'wx' })
    return file
  } catch (error) {
    rmSync(dirname(file), { recursive: true, force: true })
    throw error
  }
}

function htmlTo(url: string): string {
  // Signs that would end the attribute are encoded in it already.
  const address = new URL(url).href.replaceAll('&', '&amp;')
  return `<!doctype html>
<meta charset="utf-8">
<title>vatom</title>
<meta http-equiv="refresh" content="0; url=${address}">
<a href="${address}">Go on</a>
`
}

function start([program = '', ...args]: readonly string[], env: Host['env']): void {
  const child = spawn(program, args, { stdio: 'ignore', detached: true, env: withoutSecrets(env) })
  // The address is printed, too.
  child.on('error', () => {})
  child.unref()
}
