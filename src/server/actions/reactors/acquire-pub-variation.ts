import { ApiError } from '../../../contract/api/errors.ts'
import { emitted } from '../../domain/emission.ts'
import type { VariationRow } from '../../store/variations.ts'
import { unavailable } from '../available.ts'
import type { Reactor, Run } from '../reactor.ts'

/** Makes the caller a new vAtom of the variation that one they see is of; the variation must let anybody have one. */
export const acquirePubVariation: Reactor = {
  act: (run) => ({ output: { ids: made(run, openVariation(run)) } }),
}

function openVariation({ scope: { store }, vatom: { template_variation: name } }: Run): VariationRow {
  const variation = store.variations.byName(name)
  if (variation?.public !== 1 || variation.unpublished === 1)
    throw unavailable(`the variation ${name} is not public and published`)
  if (variation.auto_create_on_acquire !== 1) throw unavailable(`the variation ${name} is not auto_create_on_acquire`)
  return variation
}

/** What the children of a folder are made of may be gone, which is for its publisher to settle. */
function made({ scope, name: action }: Run, variation: VariationRow): string[] {
  try {
    return emitted(scope, variation, 1, { action, paths: { variation: 'this.id', num: 'this.id' } })
  } catch (error) {
    if (error instanceof ApiError && (error.kind === 'missingReference' || error.kind === 'foreignRecord'))
      throw unavailable(error.message)
    throw error
  }
}
