import { extname } from 'node:path'
import type { AssetRecord } from '../../../contract/api/asset.ts'

/** The types of content that the endings of names mean; one with a slash at its end stands for all that begin with it. */
const types: Readonly<Record<string, string>> = {
  '.gif': 'image/gif',
  '.glb': 'model/gltf-binary',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.m4a': 'audio/',
  '.mov': 'video/',
  '.mp3': 'audio/',
  '.mp4': 'video/',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wav': 'audio/',
  '.webm': 'video/',
  '.webp': 'image/webp',
}

/** Why an asset is probably not what its name says; undefined where it is, and for names that say nothing. */
export function mismatch({ name, content_type }: Pick<AssetRecord, 'name' | 'content_type'>): string | undefined {
  const ending = extname(name).toLowerCase()
  const type = types[ending]
  if (type === undefined || content_type.startsWith(type)) return undefined
  return `${name} ends with ${ending}, but its content is ${content_type}: viewers may not show it`
}
