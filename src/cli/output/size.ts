const units = ['KB', 'MB', 'GB', 'TB']

/** A number of bytes as people read it: `512 B`, `1.5 KB`, `52.4 MB`. */
export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 'B'
  for (const larger of units) {
    if (size < 1000) break
    size /= 1000
    unit = larger
  }
  return `${unit === 'B' ? size : size.toFixed(1)} ${unit}`
}
