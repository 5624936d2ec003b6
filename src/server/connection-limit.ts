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
export function mostConnections(memory: number, files = mostFiles()): number {
  const ofMemory = Math.max(1, Math.floor(memory / memoryEach))
  if (files === undefined) return ofMemory
  const left = files - Math.max(fewestOthers, files / 8)
  return Math.max(1, Math.min(ofMemory, Math.floor(left / 2)))
}

/** How many files the process may have open; undefined where the system does not tell it, or there is no limit. */
export function mostFiles(path = '/proc/self/limits'): number | undefined {
  try {
    const [, found] = /^Max open files +(\d+)/m.exec(readFileSync(path, 'utf8')) ?? []
    return found === undefined ? undefined : Number(found)
  } catch {
    return undefined
  }
}
