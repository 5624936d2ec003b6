import type { ReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import { codeOf, isGone } from '../../file-system.ts'
import { isLinkOrSocket, unlinkedReading } from '../../regular-file.ts'
import { isAssetId } from '../assets/orphans.ts'
import type { Environment } from '../environment.ts'
import type { AssetRow } from '../store/assets.ts'
import { inTurns } from './answer-parts.ts'

interface AssetRoute {
  readonly Params: { readonly id: string }
}

/** Serves the files of assets to everybody. The name at the end of an address is for people only. */
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
  store.checkVersion()
  const { id } = request.params
  const row = isAssetId(id) ? store.assets.byId(id) : undefined
  if (!row || assets.path === undefined) throw noAsset(id)
  const etag = `"${row.sha256}"`
  const decided = statusByTag(request.raw.headers, etag)
  if (decided !== undefined) return reply.code(decided).headers({ etag, 'cache-control': forever }).send()
  const file = await opened(join(assets.path, id), row)
  closeWith(reply, file)
  const found = await answerOf(assets.path, request)
  if (found.type !== 'file') return refused(found, id, reply)
  reply.code(found.statusCode).headers({ ...found.headers, etag, 'cache-control': forever, ...protection(row) })
  if (request.method === 'HEAD' || found.statusCode === 304 || reply.raw.destroyed) return reply.send()
  return reply.send(inTurns(partOf(file, found.headers, reply), reply))
}

const noAsset = (id: string) => new ApiError('notFound', `no asset has the id ${id}`)

/** The content of an address never changes. */
const forever = 'public, max-age=31536000, immutable'

/** The file of an asset, open for reading; nothing but a whole regular file is one. */
async function opened(path: string, { id, size }: AssetRow): Promise<FileHandle> {
  const file = await openUnlinked(path, id)
  const stat = await file.stat()
  if (stat.isFile() && stat.size === size) return file
  await file.close()
  if (!stat.isFile()) throw noAsset(id)
  throw new ApiError('storage', `the file of the asset does not have its ${size} bytes`)
}

/** Opens no link: whoever owns the folder could let it lead to any file that the service can read. */
async function openUnlinked(path: string, id: string): Promise<FileHandle> {
  try {
    return await open(path, unlinkedReading)
  } catch (error) {
    if (isGone(error) || isLinkOrSocket(error)) throw noAsset(id)
    throw new ApiError('storage', `the file of the asset cannot be read (${codeOf(error)})`)
  }
}

/** The status and the headers that the range and the dates of the request ask for. The content is that of the open file. */
async function answerOf(root: string, { raw, params }: FastifyRequest<AssetRoute>) {
  const { default: send } = await import('@fastify/send')
  const head = Object.assign(Readable.from([]), { method: 'HEAD', headers: raw.headers })
  return await send(head, params.id, { root, index: false, etag: false, contentType: false, cacheControl: false })
}

/** Answers 412 and 416 as they are, anything else as an asset that is not found. */
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

/** Closes a file with its answer, also where the client leaves before anything of it is read. */
function closeWith({ raw }: FastifyReply, file: FileHandle): void {
  if (raw.destroyed) void file.close()
  else raw.once('close', () => void file.close())
}

/** The bytes of a file that the headers of its answer announce. */
function partOf(file: FileHandle, headers: Readonly<Record<string, string>>, reply: FastifyReply): ReadStream {
  const start = Number(/\d+/.exec(headers['Content-Range'] ?? '')?.[0] ?? 0)
  const length = Number(headers['Content-Length'])
  const part = file.createReadStream({ start, end: Math.max(start, start + length - 1) })
  endShort(part, length, reply)
  return part
}

/** Ends the connection where a file ends before as many bytes are sent as were announced: the next answer would be taken for the rest. */
function endShort(stream: ReadStream, length: number, { raw }: FastifyReply): void {
  stream.once('end', () => {
    if (stream.bytesRead < length) raw.destroy()
  })
}

/**
 * Headers that protect browsers from uploaded files: they guess no other type, and run no scripts of what is more than media
 * or plain data. Pages of other origins may show the file.
 */
const protection = ({ content_type }: AssetRow) => ({
  'content-type': content_type.startsWith('text/') ? `${content_type}; charset=utf-8` : content_type,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  ...(!passive.test(content_type) && { 'content-security-policy': inert }),
})

const passive = /^(?:(?:image|audio|video|font|model)\/(?!.*xml)|text\/plain$|application\/(?:json|octet-stream|zip)$)/
const inert = "default-src 'none'; img-src data:; font-src data:; media-src data:; style-src 'unsafe-inline'; sandbox"

/**
 * Evaluates the conditions of a request on the entity tag: 412 or 304, or undefined where the file can be sent; then
 * they are removed from the headers, and dates and ranges stay. RFC 9110, 13.2.2.
 */
function statusByTag(headers: IncomingHttpHeaders, etag: string): 304 | 412 | undefined {
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
