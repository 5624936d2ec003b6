import { vatomsPage } from '../../domain/page.ts'
import type { Handler } from '../handlers.ts'

/** Those of some vAtoms that the caller may see, each once, in the order they are asked for. */
export const getVatoms: Handler<'getVatoms'> = (scope, { body }) => {
  const ids = [...new Set(body.ids)]
  return vatomsPage(scope, scope.store.inventory.named(ids, scope.user.id))
}
