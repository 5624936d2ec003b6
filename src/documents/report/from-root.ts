import { posix } from 'node:path'

/** Whether a problem's file is none, but what stands for one: `<stdin>`. */
export const isNoFile = (file: string): boolean => /^<\w+>$/.test(file)

/** A file as it is named from the root that a report's reader knows, with `/`; an absolute one stays as it is. */
export const fromRoot = (folder: string, file: string): string =>
  isNoFile(file) || /^([/\\]|[a-z]:[/\\])/i.test(file) ? file : posix.join(folder, file)
