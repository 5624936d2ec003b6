import { extname } from 'node:path'
import type { Output } from '../../io/output.ts'
import { shellWord } from '../../io/text.ts'
import type { Row } from '../../kinds/results.ts'

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

/** The warning of an asset that is probably not what its name says; none where it is, and for names that say nothing. */
export function mismatches({ file, asset }: Pick<Row, 'file' | 'asset'>, output: Output) {
  if (asset === undefined) return []
  const { id, name, content_type } = asset
  const ending = extname(name).toLowerCase()
  const type = types[ending]
  if (type === undefined || content_type.startsWith(type)) return []
  const message = `${name} ends with ${ending}, but its content is ${content_type}: viewers may not show it`
  const hint = `to delete it: ${output.hint(`vatom asset delete ${shellWord(id)}`)}`
  return [{ file: file ?? name, rule: 'asset-content', severity: 'warning' as const, path: '', message, hint }]
}
