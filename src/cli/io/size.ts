const units = ['KiB', 'MiB', 'GiB', 'TiB']

/** A number of bytes as people read it: `512 B`, `1.5 KiB`, `64 MiB`. */
export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 'B'
  for (const larger of units) {
    if (size < 1024) break
    size /= 1024
    unit = larger
  }
  return `${size.toFixed(1).replace(/\.0$/, '')} ${unit}`
}
