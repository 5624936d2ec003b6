import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBrowser } from '../../src/cli/open-browser.ts'
import { folderWith } from '../support/folders.ts'

test.runIf(process.platform === 'linux')('a browser gets the address, and no token or password', async () => {
  const folder = folderWith({
    'xdg-open': '#!/bin/sh\nexport ADDRESS="$1"\nexport -p > "$OUT/part"\nmv "$OUT/part" "$OUT/whole"\n',
  })
  chmodSync(join(folder, 'xdg-open'), 0o755)
  const secrets = { VATOM_REFRESH_TOKEN: 'a secret', VATOM_ACCESS_TOKEN: 'a secret', VATOM_SERVE_PASSWORD: 'a secret' }
  openBrowser('http://127.0.0.1:1/', { ...secrets, DISPLAY: ':1', PATH: `${folder}:${process.env.PATH}`, OUT: folder })
  await expect.poll(() => existsSync(join(folder, 'whole'))).toBe(true)
  const environment = readFileSync(join(folder, 'whole'), 'utf8')
  expect(environment).toContain('http://127.0.0.1:1/')
  expect(environment).not.toContain('a secret')
})
