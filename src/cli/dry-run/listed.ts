import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { FaceRecord } from '../../contract/face.ts'
import { everyPage } from '../service/every-page.ts'
import { inParallel } from '../service/in-parallel.ts'

/** What there is of the things that have no read of their own, each list asked for once. */
export interface Listed {
  /** Ids of the faces of all templates that the caller may see. */
  faces(): Promise<ReadonlySet<string>>
  facesOf(template: string): Promise<readonly FaceRecord[]>
  /** Reactors that have a handler. */
  handlers(): Promise<ReadonlySet<string>>
  /** Ids of assets. */
  assets(): Promise<ReadonlySet<string>>
}

/** Requests under way at a time. */
const atOnce = 8

export function listed(client: Client): Listed {
  const facesOf = (template: string) =>
    everyPage(
      (paging) => client.listFaces({ query: { template, ...paging } }),
      ({ id }) => id,
    )
  return {
    facesOf,
    faces: once(async () => {
      const templates = await everyPage(
        (paging) => client.listTemplates({ query: { fields: 'name', ...paging } }),
        ({ name }) => name,
      )
      const faces = await inParallel(templates, atOnce, ({ name }) => facesOf(String(name)).catch(noneOfOthers))
      return new Set(faces.flat().map(({ id }) => id))
    }),
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
