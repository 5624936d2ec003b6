import { once } from 'node:events'
import { ReadStream } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import { isAssetId } from '../assets/orphans.ts'
import type { Environment } from '../environment.ts'
import type { AssetRow } from '../store/assets.ts'

interface AssetRoute {
  readonly Params: { readonly id: string }
}

/** The files of assets, for everybody; the name at the end of an address is there for people. */
export function addAssetRoutes(app: FastifyInstance, environment: Environment): void {
  for (const url of ['/assets/:id', '/assets/:id/:name'])
    app.route<AssetRoute>({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => serveAsset(environment, request, reply),
    })
}

async function serveAsset(
  { store, assets }: Environment,
  request: FastifyRequest<AssetRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id } = request.params
  const row = isAssetId(id) ? store.assets.byId(id) : undefined
  if (!row || assets.path === undefined) throw noAsset(id)
  const etag = `"${row.sha256}"`
  const settled = settledByTag(request.raw.headers, etag)
  if (settled !== undefined) return reply.code(settled).headers({ etag, 'cache-control': forever }).send()
  const found = await fileOf(assets.path, request)
  if (found.type !== 'file') return refused(found, id, reply)
  await opened(found.stream, id)
  return reply
    .code(found.statusCode)
    .headers({ ...found.headers, etag, 'cache-control': forever, ...protection(row) })
    .send(found.stream)
}

const noAsset = (id: string) => new ApiError('notFound', `no asset has the id ${id}`)

/** What an address names never changes. */
const forever = 'public, max-age=31536000, immutable'

/** The file as far as the request's range and dates ask for it. */
async function fileOf(root: string, request: FastifyRequest<AssetRoute>) {
  const { default: send } = await import('@fastify/send')
  return await send(request.raw, request.params.id, {
    root,
    index: false,
    etag: false,
    contentType: false,
    cacheControl: false,
  })
}

/** 412 and 416 are answered as they are; for any other reason the asset is not found. */
function refused(
  { statusCode, headers }: { readonly statusCode: number; readonly headers: Readonly<Record<string, string>> },
  id: string,
  reply: FastifyReply,
): FastifyReply {
  if (statusCode !== 412 && statusCode !== 416) throw noAsset(id)
  const range = headers['Content-Range']
  return reply
    .code(statusCode)
    .headers(range === undefined ? {} : { 'content-range': range })
    .send()
}

/** An asset that is deleted at this moment is not found, as long as its answer has not begun. */
async function opened(stream: Readable, id: string): Promise<void> {
  if (!(stream instanceof ReadStream)) return
  await once(stream, 'open').catch(() => {
    throw noAsset(id)
  })
}

/**
 * Headers that protect from uploads: browsers do not guess another type, and run no script of a page or a drawing. Pages of other origins may show it.
 */
const protection = ({ content_type }: AssetRow) => ({
  'content-type': content_type.startsWith('text/') ? `${content_type}; charset=utf-8` : content_type,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  ...(/html|xml/.test(content_type) && { 'content-security-policy': inert }),
})

const inert = "default-src 'none'; img-src data:; font-src data:; media-src data:; style-src 'unsafe-inline'; sandbox"

/**
 * Evaluates the conditions of a request on the entity tag: 412 or 304, or undefined where the file is to be sent. They
 * are removed from the headers then; dates and ranges stay. RFC 9110, 13.2.2.
 */
export function settledByTag(headers: IncomingHttpHeaders, etag: string): 304 | 412 | undefined {
  const match = taken(headers, 'if-match')
  if (match !== undefined) {
    if (!names(match, etag)) return 412
    delete headers['if-unmodified-since']
  }
  const noneMatch = taken(headers, 'if-none-match')
  if (noneMatch !== undefined) {
    if (names(noneMatch.replaceAll('W/', ''), etag)) return 304
    delete headers['if-modified-since']
  }
  const range = taken(headers, 'if-range')
  if (range?.includes('"')) {
    if (range !== etag) delete headers.range
  } else if (range !== undefined) headers['if-range'] = range
  return undefined
}

function taken(headers: IncomingHttpHeaders, name: 'if-match' | 'if-none-match' | 'if-range'): string | undefined {
  const value = headers[name]
  delete headers[name]
  return value === undefined ? undefined : String(value)
}

/** Whether a list of entity tags has one, or is `*`. */
const names = (list: string, etag: string): boolean =>
  list.split(',').some((one) => one.trim() === '*' || one.trim() === etag)
