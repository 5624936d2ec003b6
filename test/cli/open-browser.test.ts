import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openBrowser } from '../../src/cli/open-browser.ts'
import { type Files, folderWith, newFolder } from '../support/folders.ts'

const link = 'http://127.0.0.1:1/?key=of-one-use&also="<b>"'
const secrets = { VATOM_REFRESH_TOKEN: 'a secret', VATOM_ACCESS_TOKEN: 'a secret', VATOM_SERVE_PASSWORD: 'a secret' }

/** Programs in the place of a browser, and of what waits until that has read its page: here, until it has ended. */
const programs: Files = {
  'xdg-open': `#!/bin/sh
export -p > "$OUT/environment"
echo "$1" > "$OUT/path"
cp "$1" "$OUT/page"
stat -c %a "$1" "$(dirname "$1")" > "$OUT/modes"
tr '\\0' ' ' < "/proc/$$/cmdline" > "$OUT/arguments"
echo > "$OUT/pipe"
`,
  sleep: `#!/bin/sh
read -r _ < "$OUT/pipe"
tr '\\0' ' ' < "/proc/$PPID/cmdline" > "$OUT/arguments-of-remover"
`,
}

/** Opens a link for a user with a screen, whose browser writes what it sees into files. */
function opening(home: string) {
  const out = folderWith(programs)
  for (const name of Object.keys(programs)) chmodSync(join(out, name), 0o755)
  spawnSync('mkfifo', [join(out, 'pipe')])
  const env = { ...secrets, DISPLAY: ':1', PATH: `${out}:${process.env.PATH}`, OUT: out }
  openBrowser(link, { env, home })
  return {
    wrote: (name: string) => readFileSync(join(out, name), 'utf8'),
    has: (name: string) => existsSync(join(out, name)),
  }
}

test.runIf(process.platform === 'linux')(
  'a browser gets a page of this user alone that leads to the link, and no token or password; others see no key',
  async () => {
    const home = newFolder()
    const { wrote, has } = opening(home)
    await expect.poll(() => has('arguments-of-remover')).toBe(true)
    expect(wrote('page')).toContain('content="0; url=http://127.0.0.1:1/?key=of-one-use&amp;also=%22%3Cb%3E%22"')
    expect(wrote('modes')).toBe('600\n700\n')
    expect(dirname(dirname(wrote('path')))).toBe(home)
    expect(wrote('arguments')).toContain(wrote('path').trim())
    expect(wrote('arguments') + wrote('arguments-of-remover')).not.toContain('of-one-use')
    expect(wrote('environment')).not.toMatch(/a secret|of-one-use/)
    await expect.poll(() => readdirSync(home)).toEqual([])
  },
)

test.runIf(process.platform === 'linux')(
  'where others could change the home, nothing is opened or left there',
  async () => {
    const home = newFolder()
    chmodSync(home, 0o777)
    const { has } = opening(home)
    expect(readdirSync(home)).toEqual([])
    expect(has('path')).toBe(false)
  },
)
