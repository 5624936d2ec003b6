import { readFileSync } from 'node:fs'

/** Bytes of a service's memory for each connection that may be open. */
const memoryEach = 131_072

/** Open files of the process that are no connections of clients, at least. */
const fewestOthers = 64

/**
 * How many connections may be open: what a service with so much memory can have, and fewer where the process may not have
 * twice as many files open, as each connection can be sent one. An eighth of those are for all else that it opens: without
 * any, the process could not go on.
 */
export function mostConnections(memory: number): number {
  const files = mostFiles()
  const left = files - Math.max(fewestOthers, files / 8)
  return Math.max(1, Math.floor(Math.min(memory / memoryEach, left / 2)))
}

/** How many files the process may have open, where the system tells it. */
function mostFiles(): number {
  try {
    const [, found] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return found === undefined ? Number.POSITIVE_INFINITY : Number(found)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
