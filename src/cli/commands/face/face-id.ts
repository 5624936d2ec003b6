import { face } from '../../../contract/kinds/face.ts'
import type { Context } from '../../context.ts'
import { meantIds } from '../../kinds/short-id.ts'
import { allOfPublisher } from '../../kinds/verbs/list.ts'

/** How the help of commands describes an id. */
export const faceIdHelp = "the face's id, or its beginning"

/** The ids of faces that are meant: the beginning of an id stands for the only face of the publisher that has it. */
export const faceIds = (given: readonly string[], context: Context): Promise<string[]> =>
  meantIds(given, 'faces', async () => (await allOfPublisher(face, context)).map(({ id }) => String(id)))
