import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { ApiError } from '../contract/api/errors.ts'
import { at, listAt } from '../contract/schema/path.ts'
import { codeOf } from '../file-system.ts'

/** A page of what the build has made for browsers. */
export interface PageFiles {
  /** The document of the page. */
  readonly html: string
  /** The content of a script or style sheet and its type; undefined for a name that the build has not made. */
  readonly read: (name: string) => { readonly type: string; readonly body: Buffer } | undefined
}

/** A page: its title, the names of its entry points, and where its scripts and style sheets are served. */
interface Page {
  readonly title: string
  readonly entries: { readonly script: string; readonly style: string }
  readonly scripts: string
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Reads what the build has made for a page; undefined where it is missing. */
export function readPageFiles(folder: string, page: Page): PageFiles | undefined {
  const manifest = readManifest(folder)
  const script = at(manifest, 'entries', page.entries.script)
  const style = at(manifest, 'entries', page.entries.style)
  if (typeof script !== 'string' || typeof style !== 'string') return undefined
  const names = new Set(listAt(manifest, 'files'))
  return {
    html: htmlOf(page, script, style),
    read: (name) =>
      names.has(name) ? { type: types[extname(name)] ?? 'text/plain', body: contentOf(join(folder, name)) } : undefined,
  }
}

/** Throws `outdated` where the build of another version is there by now, which has other files. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? new ApiError('outdated', replaced) : error
  }
}

const replaced =
  'Another version of vatom has replaced the one that runs, and a file of this page with it: start it again'

function readManifest(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  } catch {
    return undefined
  }
}

const htmlOf = ({ title, scripts }: Page, script: string, style: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${scripts}${style}">
<script type="module" src="${scripts}${script}"></script>
<body></body>
</html>
`
