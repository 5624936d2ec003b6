import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { entry, root } from './binary.ts'

/** A program that runs the built binary in a process of its own. */
export const ownProcess = `#!/bin/sh
exec "${process.execPath}" "${entry}" "$@"
`

/**
 * One process of the built binary for the tests of a file. Its `program` has a command line run there, and is a process of
 * its own only to begin a service or with something on its standard input; `signal` aborts when the process is over.
 */
export function residentBinary() {
  const isOver = new AbortController()
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vatom-test-'))
    execFileSync('mkfifo', ['request', 'code'], { cwd: folder })
    const child = spawn(process.execPath, [join(root, 'test/support/resident.cjs'), folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.once('exit', () => isOver.abort())
    return () => {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  })
  const program = () => `#!/usr/bin/env bash
if [[ \${1-} == serve || -p /dev/stdin || -f /dev/stdin ]]; then exec "${process.execPath}" "${entry}" "$@"; fi
{ printf '%s\\0' "$PWD" $# "$@"; env -0; } > ${folder}/request
read -r code < ${folder}/code
cat ${folder}/out
cat ${folder}/err >&2
exit $code
`
  return { program, signal: isOver.signal }
}
