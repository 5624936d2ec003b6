const { monitorEventLoopDelay } = require('node:perf_hooks')

/** Loaded into the service: answers each message with the longest hold of the event loop since the one before, in ms. */
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', () => {
  const hold = delay.max / 1e6
  delay.reset()
  process.send({ hold, memory: process.memoryUsage.rss() })
})
process.channel.unref()
