const { openSync, readSync } = require('node:fs')
const { monitorEventLoopDelay } = require('node:perf_hooks')

/**
 * Loaded into the service: answers each message with the longest hold of the event loop since the one before, in
 * milliseconds, and in milliseconds of processor time, which do not depend on what else the machine does; and with the
 * processor time that was taken in all.
 */
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()

const text = Buffer.alloc(64)
/** Of the thread with the event loop, on Linux; else of the whole process. */
const processorTime = process.platform === 'linux' ? ofThread(`/proc/self/task/${process.pid}/schedstat`) : ofProcess

function ofThread(path) {
  const file = openSync(path)
  return () => Number.parseInt(text.latin1Slice(0, readSync(file, text, 0, text.length, 0)), 10) / 1e6
}

function ofProcess() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let last = processorTime()
let longest = 0
setInterval(() => {
  const now = processorTime()
  longest = Math.max(longest, now - last)
  last = now
}, 1).unref()

process.on('message', () => {
  process.send({
    hold: longest,
    processor: processorTime(),
    elapsed: delay.max / 1e6,
    memory: process.memoryUsage.rss(),
  })
  delay.reset()
  longest = 0
})
process.channel?.unref()
