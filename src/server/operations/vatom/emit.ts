import { errorAt } from '../../../contract/api/errors.ts'
import { writeAs } from '../../auth/current-user.ts'
import { emitted } from '../../domain/emission.ts'
import { checkOwn } from '../../domain/rules.ts'
import type { Handler } from '../handlers.ts'

/** Makes vAtoms of a variation in the caller's inventory; a defined folder with its children. Spec 1, 2.4. */
export const emit: Handler<'emit'> = async (scope, { body: { template_variation: name, num } }) => {
  const ids = await writeAs(scope, (scope) => {
    const variation = scope.store.variations.byName(name)
    if (!variation) throw errorAt('template_variation', 'missingReference', `no template variation is named ${name}`)
    checkOwn(scope, variation)
    return emitted(scope, variation, num, {
      action: 'Emit',
      paths: { variation: 'template_variation', num: 'num' },
    })
  })
  return { num_created: ids.length, num_errors: 0, ids }
}
