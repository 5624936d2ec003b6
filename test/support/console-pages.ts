import { folderWith } from './folders.ts'

/** A folder as the build makes it for the browsers of a command, with scripts of one line. */
export function pagesOf(command: 'console' | 'preview'): string {
  const [script, style] = [`${command}-AAAAAAAA.js`, `${command}-style-AAAAAAAA.css`]
  return folderWith({
    'manifest.json': JSON.stringify({
      entries: { [command]: script, [`${command}-style`]: style },
      files: [script, style],
    }),
    [script]: 'export {}',
    [style]: 'body {}',
    'secret.txt': 'not of the build',
    'secret.js': 'not served',
  })
}

export const consolePages = (): string => pagesOf('console')
