import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { FaceRecord } from '../../contract/kinds/face-schemas.ts'
import { everyPage } from '../service/every-page.ts'
import { facesOf } from '../service/faces-of.ts'
import { inParallel } from '../service/in-parallel.ts'

/** What there is of the things that have no read of their own, each list asked for once. */
export interface Listed {
  /** The client's own, but that what it lists is remembered. */
  readonly listFaces: Client['listFaces']
  /** Whether there is a face of an id; where none was listed that has it, all templates are asked. */
  hasFace(id: string): Promise<boolean>
  facesOf(template: string): Promise<readonly FaceRecord[]>
  /** Reactors that have a handler. */
  handlers(): Promise<ReadonlySet<string>>
  /** Ids of assets. */
  assets(): Promise<ReadonlySet<string>>
}

export function listed(client: Client): Listed {
  const seen = new Set<string>()
  const listFaces: Client['listFaces'] = async (input) => {
    const faces = await client.listFaces(input)
    for (const { id } of faces) seen.add(id)
    return faces
  }
  const allFaces = once(async () => {
    const templates = await everyPage(
      (paging) => client.listTemplates({ query: { fields: 'name', ...paging } }),
      ({ name }) => name,
    )
    await inParallel(templates, ({ name }) => facesOf({ listFaces }, String(name)).catch(noneOfOthers))
  })
  return {
    listFaces,
    facesOf: (template) => facesOf({ listFaces }, template),
    hasFace: async (id) => {
      if (!seen.has(id)) await allFaces()
      return seen.has(id)
    },
    handlers: once(async () => {
      const handlers = await everyPage(
        (query) => client.listActionHandlers({ query }),
        ({ reactor }) => reactor,
      )
      return new Set(handlers.map(({ reactor }) => reactor))
    }),
    assets: once(async () => {
      const assets = await everyPage(
        (query) => client.listAssets({ query }),
        ({ id }) => id,
      )
      return new Set(assets.map(({ id }) => id))
    }),
  }
}

/** Faces of others' templates are not listed, and cannot be changed. */
function noneOfOthers(error: unknown): FaceRecord[] {
  if (error instanceof ServiceError && error.kind === 'foreignRecord') return []
  throw error
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
