import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { ActionRecord } from '../../contract/kinds/action-schemas.ts'
import type { FaceRecord } from '../../contract/kinds/face-schemas.ts'
import { everyPage } from './every-page.ts'

/** The record that a read answers; undefined where the service has none. */
export async function ifThere<R>(read: Promise<R>): Promise<R | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return undefined
    throw error
  }
}

/** All faces of a template, in order of registration. Fails with missingReference where there is no such template. */
export const facesOf = ({ listFaces }: Pick<Client, 'listFaces'>, template: string): Promise<FaceRecord[]> =>
  everyPage(
    (paging) => listFaces({ query: { template, ...paging } }),
    ({ id }) => id,
  )

/** All actions of a template. Fails with missingReference where there is no such template. */
export const actionsOf = ({ listActions }: Pick<Client, 'listActions'>, template: string): Promise<ActionRecord[]> =>
  everyPage(
    (paging) => listActions({ query: { template, ...paging } }),
    ({ name }) => name,
  )
