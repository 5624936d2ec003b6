import { identityOf } from '../../../contract/kinds/face-identity.ts'
import type { FaceRecord } from '../../../contract/kinds/face-schemas.ts'
import type { Context } from '../../context.ts'
import { styled } from '../../io/text.ts'
import { faceDocument } from './documents.ts'
import type { Family } from './read-service.ts'

/**
 * A family with one face for the same viewers, as a catalog has to have them: the first, which viewers pick. Says which
 * others there are. Spec 4.5.
 */
export function withoutDoubles(family: Family, { output }: Pick<Context, 'output'>): Family {
  const firsts = new Map<string, FaceRecord>()
  for (const face of family.faces) if (!firsts.has(viewersOf(face))) firsts.set(viewersOf(face), face)
  for (const [viewers, first] of firsts) {
    const others = family.faces.filter((face) => face !== first && viewersOf(face) === viewers).map(({ id }) => id)
    if (others.length > 0)
      output.warn(
        styled`${family.template.name} has ${others.length + 1} faces for ${viewers}; viewers pick the first, ${first.id}, which alone is written; vatom face delete ${others.join(' ')} deletes the others, and so does vatom apply --prune`,
      )
  }
  return { ...family, faces: [...firsts.values()] }
}

const viewersOf = (face: FaceRecord): string => identityOf(faceDocument(face)).join(', ')
