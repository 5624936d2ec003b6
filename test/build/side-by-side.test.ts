import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../support/folders.ts'

const program = join(import.meta.dirname, '../../src/build/side-by-side.mjs')

/** Runs scripts beside each other: two of them end only when both have begun. */
function sideBySide(...names: readonly string[]) {
  const scripts = {
    slow: 'echo slow 1; echo > begun; until [ -e met ]; do sleep 0.01; done; echo slow 2 >&2',
    quick: 'echo quick 1; until [ -e begun ]; do sleep 0.01; done; echo > met; echo quick 2',
    broken: 'echo broken; exit 3',
    killed: 'echo killed; kill -9 $$',
  }
  const cwd = folderWith({ 'package.json': JSON.stringify({ scripts }) })
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...names], {
    cwd,
    encoding: 'utf8',
    timeout: 20_000,
  })
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('>') && !line.startsWith('npm'))
  return { status, lines, err: stderr }
}

test('scripts run beside each other; the output of each is whole, in their order', () =>
  expect(sideBySide('slow', 'quick')).toEqual({
    status: 0,
    lines: ['slow 1', 'slow 2', 'quick 1', 'quick 2'],
    err: '',
  }))

test('one that fails is named, when all have ended and are shown', () =>
  expect(sideBySide('broken', 'slow', 'killed', 'quick')).toEqual({
    status: 1,
    lines: ['broken', 'slow 1', 'slow 2', 'killed', 'quick 1', 'quick 2'],
    err: 'Failed: broken, killed\n',
  }))
