import type { Command } from 'commander'
import type { FaceRecord } from '../../../contract/kinds/face-schemas.ts'
import { at, listAt } from '../../../contract/schema/path.ts'
import type { Context } from '../../context.ts'
import { listCommandFor } from '../../kinds/of-template.ts'

const constraint = (name: string) => (face: FaceRecord) => String(at(face, 'properties', 'constraints', name) ?? '')

export const listCommand = (context: Context): Command =>
  listCommandFor<FaceRecord>(
    {
      noun: 'face',
      ask: (client, query) => client.listFaces({ query }),
      keyOf: ({ id }) => id,
      columns: {
        ID: ({ id }) => id,
        VIEW: constraint('view_mode'),
        PLATFORM: constraint('platform'),
        QUALITY: constraint('quality'),
        URL: (face) => String(at(face, 'properties', 'display_url') ?? ''),
        RESOURCES: (face) => listAt(face, 'properties', 'resources').join(', '),
      },
    },
    context,
  )
