import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A program over the service for processes of their own, and a folder for what they keep: `source` finds the service at
 * `./service.cjs`. Both are there while the file's tests run.
 */
export function serviceWorker(name: string, source: string) {
  const dir = mkdtempSync(join(tmpdir(), `vatom-${name}-`))
  const program = join(dir, 'worker.cjs')
  beforeAll(async () => {
    await build({
      entryPoints: [join(root, 'src/server/service.ts')],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['@photostructure/sqlite'],
      supported: { 'dynamic-import': false },
      outfile: join(dir, 'service.cjs'),
      logLevel: 'error',
    })
    writeFileSync(program, source)
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  const env = { ...process.env, NODE_PATH: join(root, 'node_modules'), NODE_EXTRA_CA_CERTS: undefined }
  return { dir, program, env }
}
