let last = 0

/** The bytes of memory that the process takes; what it took last while it may open no file, of which they are read. */
export function residentMemory(): number {
  try {
    last = process.memoryUsage.rss()
  } catch {
    // It may have as many files open as it can.
  }
  return last
}
