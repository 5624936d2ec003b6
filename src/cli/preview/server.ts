import { createServer, type ServerResponse } from 'node:http'
import { defaults } from '../../contract/defaults.ts'
import { placeholderSvg } from '../../contract/placeholder.ts'
import { previewEntries, previewPaths } from '../../contract/preview.ts'
import { codeOf } from '../../file-system.ts'
import { portOf } from '../../listening-port.ts'
import { type PageFiles, readPageFiles } from '../../pages/page-files.ts'
import { pagePolicy, privateHeaders } from '../../pages/page-headers.ts'
import { unlinkedBytes } from '../../regular-file.ts'
import { exit, Failure } from '../failure/failure.ts'
import type { Watched } from './catalog.ts'
import { type Answer, Door } from './door.ts'
import { Events } from './events.ts'

const page = { title: 'vatom preview', entries: previewEntries, scripts: previewPaths.scripts }

/** The page as the build has made it; undefined where it is missing. */
export const pageIn = (folder: string | undefined): PageFiles | undefined =>
  folder === undefined ? undefined : readPageFiles(folder, page)

/** A server of a preview. */
export interface PreviewServer {
  /** A link to the page, which can be used once. */
  readonly newLink: () => string
  readonly close: () => void
}

/** Serves the page and what it draws on this machine, at a free port for 0. */
export async function servePreview(watched: Watched, page: PageFiles, port: number): Promise<PreviewServer> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(notListening(error, port)))
    server.listen(port, defaults.host, resolve)
  })
  const door = new Door(`http://${defaults.host}:${portOf(server)}`)
  const events = new Events(watched)
  server.on('request', async (request, response) => {
    const path = (request.url ?? '/').replace(/[?#].*/s, '')
    const refused = door.answer(request, path)
    if (refused) return send(refused, response)
    if (path === previewPaths.events) return events.add(response)
    send(await answerTo(path, watched, page).catch(failed), response)
  })
  return {
    newLink: () => door.newLink(),
    close: () => {
      events.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

const missing: Answer = { status: 404, body: 'There is nothing at this address.\n' }
const failed = (error: unknown): Answer => ({
  status: 500,
  body: `${error instanceof Error ? error.message : error}\n`,
})

async function answerTo(path: string, watched: Watched, page: PageFiles): Promise<Answer> {
  if (path === previewPaths.page)
    return { status: 200, type: 'text/html; charset=utf-8', body: page.html, headers: pageHeaders }
  if (path === previewPaths.catalog)
    return { status: 200, type: 'application/json', body: JSON.stringify(await watched.read()) }
  if (path.startsWith(previewPaths.placeholders)) {
    const body = placeholderSvg(decodeURIComponent(path.slice(previewPaths.placeholders.length)))
    return { status: 200, type: 'image/svg+xml', body }
  }
  const script = path.startsWith(previewPaths.scripts) && page.read(path.slice(previewPaths.scripts.length))
  if (script) return { status: 200, ...script }
  const file = watched.files().at(path)
  const body = file && unlinkedBytes(file.path)
  return body ? { status: 200, type: file.type, body } : missing
}

const pageHeaders = { 'Content-Security-Policy': pagePolicy("'self'") }

/** What is not the page runs nothing, even if it is opened by itself. */
const others = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
  ...privateHeaders,
}

function send({ status, type = 'text/plain; charset=utf-8', body, headers }: Answer, response: ServerResponse): void {
  response.writeHead(status, { ...others, 'Content-Type': type, ...headers }).end(body)
}

function notListening(error: Error, port: number): Error {
  if (codeOf(error) !== 'EADDRINUSE') return error
  return new Failure('port_in_use', exit.refused, `Port ${port} is in use`, {
    hint: 'leave --port out for a free one',
    cause: error,
  })
}
