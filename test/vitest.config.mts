import { availableParallelism } from 'node:os'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** Where a machine wants to read the results: a folder that gets a JSON file for each script that runs tests. */
const { TEST_REPORTS: reports, npm_lifecycle_event: script } = process.env

/** Pages of the manual are text, as in the bundles. */
const markdown: Plugin = {
  name: 'markdown',
  transform: (text, id) =>
    id.endsWith('.md') ? { code: `export default ${JSON.stringify(text)}`, map: null } : undefined,
}

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  plugins: [markdown],
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    // Some of them wait at any time, as for a browser or the disk.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A browser on a busy machine takes its time.
    expect: { poll: { timeout: 10_000 } },
    reporters: reports ? ['default', ['json', { outputFile: `${reports}/${script}.json` }]] : ['default'],
  },
})
