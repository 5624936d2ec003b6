import { previewEntries, previewPaths } from '../../contract/preview.ts'
import { plural } from '../../contract/schema/wording.ts'
import { findDocuments } from '../../documents/load/inputs.ts'
import { type PageFiles, readPageFiles } from '../../pages/page-files.ts'
import { catalogPaths } from '../catalog/catalog-paths.ts'
import type { Context } from '../context.ts'
import { notBuilt, usage } from '../failure/failure.ts'
import { untilEnded } from '../interruption.ts'
import { styled } from '../io/text.ts'
import { invalidFailure, loadAll } from '../kinds/load-checked.ts'
import { opensBrowser } from '../open-links.ts'
import { watchCatalog } from './catalog.ts'
import { servePreview } from './server.ts'

export interface PreviewOptions {
  readonly port: number
  readonly open: boolean
  readonly out?: string
}

/** Serves a page that draws documents, until Ctrl-C. */
export async function preview(given: readonly string[], options: PreviewOptions, context: Context): Promise<void> {
  const paths = await catalogPaths(given, 'vatom preview', context)
  if (paths.includes('-')) throw usage('preview reads no standard input', 'name a folder or file: vatom preview PATH')
  const { host, output } = context
  const found = await findDocuments(paths, host.cwd)
  const failure = found.files.length === 0 ? await invalidFailure(found) : undefined
  if (failure) throw failure
  // Fails for documents with errors: pictures of a part of them would look like all.
  if (options.out !== undefined) await loadAll(paths, context)
  const watched = watchCatalog(paths, context)
  const page = pageIn(host.pages)
  const { subjects, problems } = await watched.read()
  const server = await servePreview(watched, page, options.port)
  try {
    const url = server.newLink()
    if (options.out !== undefined) {
      const { writePictures } = await import('./pictures.ts')
      return await writePictures(url, subjects, options.out, context)
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
