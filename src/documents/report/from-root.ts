import { posix } from 'node:path'

/** Whether the name of a problem's file is not a path, but a placeholder: `<stdin>`. */
export const isNoFile = (file: string): boolean => /^<\w+>$/.test(file)

/** A file relative to the root of the checkout, with `/`; an absolute path stays as it is. */
export const fromRoot = (folder: string, file: string): string =>
  isNoFile(file) || /^([/\\]|[a-z]:[/\\])/i.test(file) ? file : posix.join(folder, file)
