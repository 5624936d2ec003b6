import type { Client } from '../../client/client.ts'
import type { FaceRecord } from '../../contract/kinds/face-schemas.ts'
import { everyPage } from './every-page.ts'

/** All faces of a template, in order of registration. Fails with missingReference where there is no such template. */
export const facesOf = ({ listFaces }: Pick<Client, 'listFaces'>, template: string): Promise<FaceRecord[]> =>
  everyPage(
    (paging) => listFaces({ query: { template, ...paging } }),
    ({ id }) => id,
  )
