import { posix } from 'node:path'

/** The checkout of a pipeline, with `/` between folders: reports name files relative to it. */
export interface Checkout {
  /** Its absolute paths, if there is one: as it is given, and without links. */
  readonly roots?: readonly string[]
  /** The working directory below it; empty at its root, and outside. */
  readonly folder?: string
}

/** Whether the name of a problem's file is not a path, but a placeholder: `<stdin>`. */
export const isNoFile = (file: string): boolean => /^<\w+>$/.test(file)

/** A file relative to the root of the checkout, with `/`; an absolute path outside of it stays as it is. */
export function fromRoot({ roots = [], folder = '' }: Checkout, file: string): string {
  if (isNoFile(file)) return file
  if (!/^([/\\]|[a-z]:[/\\])/i.test(file)) return posix.join(folder, file)
  const normal = posix.normalize(file)
  const root = roots.find((one) => normal.startsWith(`${one}/`))
  return root === undefined ? file : normal.slice(root.length + 1)
}
