import { folderWith } from './folders.ts'

/** A folder as the build makes it for browsers, with scripts of one line. */
export const consolePages = (): string =>
  folderWith({
    'manifest.json': JSON.stringify({
      entries: { console: 'console-AAAAAAAA.js', 'console-style': 'console-style-AAAAAAAA.css' },
      files: ['console-AAAAAAAA.js', 'console-style-AAAAAAAA.css'],
    }),
    'console-AAAAAAAA.js': 'export {}',
    'console-style-AAAAAAAA.css': 'body {}',
    'secret.txt': 'not of the build',
  })
