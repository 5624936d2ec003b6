import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

const build = fileURLToPath(new URL('build.mjs', import.meta.url))
const sources = fileURLToPath(new URL('..', import.meta.url))
/** Milliseconds in which further changes belong to the same build. */
const quiet = 50

/** Builds once more where a change came during the last build. */
let running = false
let isStale = false
let timer

function run() {
  if (running) {
    isStale = true
    return
  }
  running = true
  spawn(process.execPath, [build, '--quick'], { stdio: 'inherit' }).once('exit', () => {
    running = false
    if (!isStale) return
    isStale = false
    run()
  })
}

run()
watch(sources, { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(run, quiet)
})
