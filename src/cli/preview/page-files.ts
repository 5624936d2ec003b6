import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { previewEntries, previewPaths } from '../../contract/preview.ts'
import { at, listAt } from '../../contract/schema/path.ts'
import { exit, Failure } from '../failure/failure.ts'

/** What the build has made for browsers. */
export interface PageFiles {
  /** The document of the page. */
  readonly html: string
  /** The content of a script or style sheet and its type; undefined for a name that the build has not made. */
  readonly read: (name: string) => { readonly type: string; readonly body: Buffer } | undefined
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Reads what the build has made for browsers; throws where it is missing. */
export function readPageFiles(folder: string | undefined): PageFiles {
  const manifest = folder === undefined ? undefined : readManifest(folder)
  const [script, style] = [previewEntries.script, previewEntries.style].map((name) => at(manifest, 'entries', name))
  if (folder === undefined || typeof script !== 'string' || typeof style !== 'string')
    throw new Failure('not_built', exit.refused, 'What the preview shows in a browser is not built', {
      hint: 'run npm run build, or install vatom again',
    })
  const names = new Set(listAt(manifest, 'files'))
  return {
    html: htmlOf(script, style),
    read: (name) =>
      names.has(name)
        ? { type: types[extname(name)] ?? 'text/plain', body: readFileSync(join(folder, name)) }
        : undefined,
  }
}

function readManifest(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  } catch {
    return undefined
  }
}

const htmlOf = (script: string, style: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>vatom preview</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${previewPaths.scripts}${style}">
<script type="module" src="${previewPaths.scripts}${script}"></script>
<body></body>
</html>
`
