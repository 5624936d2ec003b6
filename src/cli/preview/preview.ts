import { previewEntries, previewPaths } from '../../contract/preview.ts'
import { plural } from '../../contract/schema/wording.ts'
import { findDocuments } from '../../documents/load/inputs.ts'
import { type PageFiles, readPageFiles } from '../../pages/page-files.ts'
import { catalogPaths } from '../catalog/catalog-paths.ts'
import type { Context } from '../context.ts'
import { notBuilt, usage } from '../failure/failure.ts'
import { untilEnded } from '../interruption.ts'
import { shellWord, styled } from '../io/text.ts'
import { invalidFailure, withoutErrors } from '../kinds/load-checked.ts'
import { opensBrowser } from '../open-links.ts'
import { watchCatalog } from './catalog.ts'
import { servePreview } from './server.ts'

export interface PreviewOptions {
  readonly port: number
  readonly open: boolean
  readonly out?: string
  readonly changed?: string
}

/** Serves a page that draws documents, until Ctrl-C. */
export async function preview(given: readonly string[], options: PreviewOptions, context: Context): Promise<void> {
  const paths = await catalogPaths(given, 'vatom preview', context)
  if (paths.includes('-')) throw usage('preview reads no standard input', 'name a folder or file: vatom preview PATH')
  const { host, output } = context
  const { out, changed } = options
  if (changed !== undefined && out === undefined)
    throw usage(
      '--changed takes --out',
      `name a folder: vatom preview PATH --out FOLDER --changed ${shellWord(changed)}`,
    )
  const isChanged = changed === undefined ? undefined : await (await import('./changed.ts')).changedBy(changed, context)
  const found = await findDocuments(paths, host.cwd)
  const failure = found.files.length === 0 ? await invalidFailure(found) : undefined
  if (failure) throw failure
  const watched = watchCatalog(paths, context)
  const page = pageIn(host.pages)
  const { subjects, problems } = await watched.read()
  const loaded = watched.loaded()
  // Pictures of a part of the documents would look like all.
  if (out !== undefined && loaded) await withoutErrors(loaded, context)
  const server = await servePreview(watched, page, options.port)
  try {
    const url = server.newLink()
    if (out !== undefined) {
      const { writePictures } = await import('./pictures.ts')
      return await writePictures(url, { subjects, isChanged, folder: out }, context)
    }
    const what = `${subjects.length} to see${problems.length > 0 ? `, ${plural(problems.length, 'problem')}` : ''}`
    output.event({ url }, styled`Preview (${what}): ${url}\nThe link can be used once. Ctrl-C stops the preview`)
    if (options.open && opensBrowser(context)) host.openBrowser(url)
    await untilEnded(host)
  } finally {
    server.close()
  }
}

/** The page as the build has made it; throws where it is missing. */
function pageIn(folder: string | undefined): PageFiles {
  const page = { title: 'vatom preview', entries: previewEntries, scripts: previewPaths.scripts }
  const files = folder === undefined ? undefined : readPageFiles(folder, page)
  if (files) return files
  throw notBuilt('preview')
}
