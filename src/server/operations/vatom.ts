import { ApiError, errorAt } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { trash } from '../actions/vatom-change.ts'
import { checkOwn, known, ownVatom, visibleVatom } from '../domain/access.ts'
import { writeInStepsAs } from '../domain/caller.ts'
import { timestamp } from '../domain/clock.ts'
import { publishChange } from '../domain/events.ts'
import { JsonParts, JsonText, listParts, mapped } from '../domain/json-text.ts'
import { pageOf, queriedPage } from '../domain/paging.ts'
import { parent, searchBy } from '../domain/vatoms/containers.ts'
import { checkContents, rowsIn, rowsMoved } from '../domain/vatoms/contents.ts'
import { emitted, mostEmitted } from '../domain/vatoms/emission.ts'
import { againstMove, type Target, targetOf } from '../domain/vatoms/folders.ts'
import { vatomsPage } from '../domain/vatoms/found-vatoms.ts'
import type { Steps } from '../store/slices.ts'
import type { Page } from '../store/table.ts'
import type { Key } from '../store/vatoms/vatom-order.ts'
import type { Handler, UserScope } from './handler.ts'

/** Creates vAtoms of a variation in the caller's inventory, defined folders with their children. Spec 1, 2.4. */
export const emit: Handler<'emit'> = async (scope, { body: { template_variation: name, num } }) => {
  const rows = mostEmitted(scope.store.variations.byName(name), num)
  const { ids, contents } = await writeInStepsAs(scope, rows, function* (scope) {
    const variation = known(scope, scope.store.variations.byName(name))
    if (!variation) throw errorAt('template_variation', 'missingReference', `no template variation is named ${name}`)
    checkOwn(scope, variation)
    return yield* emitted(scope, variation, num, {
      action: 'Emit',
      paths: { variation: 'template_variation', num: 'num' },
    })
  })
  return { num_created: ids.length, num_errors: 0, num_contents: contents, ids }
}

/** A vAtom of the caller's or a public one, for everybody, signed in or not. */
export const getVatom: Handler<'getVatom'> = (scope, { id }) => new JsonText(visibleVatom(scope, id).json)

/** Those of the given vAtoms that the caller may see, each once, in the given order. */
export const getVatoms: Handler<'getVatoms'> = (scope, { body }) => {
  const ids = [...new Set(body.ids)]
  return vatomsPage(scope, scope.store.inventory.named(ids, scope.user.id))
}

/**
 * Moves vAtoms of the caller's into a folder of theirs or to the root, one after the other. The answer has a reason for
 * each that cannot be moved. Spec 2.4.
 */
export const updateVatoms: Handler<'updateVatoms'> = (scope, { body: { ids, parent_id } }) =>
  writeInStepsAs(scope, rowsMoved(scope.store, ids), function* (scope) {
    yield* checkContents({ store: scope.store, ids, path: 'ids' })
    const target = targetOf(scope, parent_id)
    const updated: string[] = []
    const refused = new Map<string, string>()
    for (const id of new Set(ids)) {
      const why = yield* moved(scope, id, target)
      if (why === undefined) updated.push(id)
      else refused.set(id, why)
      yield
    }
    return {
      num_updated: updated.length,
      num_errors: refused.size,
      error_messages: Object.fromEntries(refused),
      ids: updated,
    }
  })

/** Moves a vAtom unless it is there already; returns why it cannot be moved. */
function* moved(scope: UserScope, id: string, target: Target): Steps<string | undefined> {
  if ('why' in target) return target.why
  const { store, now } = scope
  const vatom = store.vatoms.byId(id)
  if (!vatom) return 'no vAtom has this id'
  if (vatom.parent_id === target.folder.id && vatom.owner === scope.user.id) return undefined
  const why = againstMove(scope, vatom, target)
  if (why !== undefined) return why
  yield* store.vatoms.move([id], target.folder, timestamp(now))
  target.folders.moved(vatom, target.folder.id)
  const after = store.vatoms.byId(id)
  if (after) publishChange(scope, 'Update', vatom, after)
  return undefined
}

/** Gives a vAtom of the caller's, with its contents, to the trash user. */
export const trashVatom: Handler<'trashVatom'> = async (scope, { body }) => {
  const id = body['this.id']
  await writeInStepsAs(scope, rowsIn(scope.store, [id]), (scope) =>
    trash({ scope, name: 'Trash', vatom: ownVatom(scope, id) }),
  )
  return { success_message: `vAtom ${id} trashed.` }
}

const everything = '*'

/** A page of the caller's vAtoms, all of them or those of one folder; empty after the last page. */
export const getInventory: Handler<'getInventory'> = async (scope, { body }) => {
  const size = Math.min(body.limit || limits.inventory, limits.inventory)
  const begin = () => found(scope, body.parent_id ?? everything, pageOf(size, body.page ?? undefined))
  return vatomsPage(scope, await scope.store.slices.run(begin, scope))
}

function found(scope: UserScope, folder: string, page: Page): Steps<number[]> {
  const { store, user } = scope
  if (folder === everything) return store.inventory.page(user.id, undefined, page)
  // An id with a comma is one value, not a list of folders.
  const search = folder.includes(',') ? undefined : searchBy(scope, { scope: { key: parent, value: folder } })
  return search?.containers ? store.search.page(search, page) : store.inventory.page(user.id, folder, page)
}

/** A page of the ids of the caller's vAtoms with the version of each; next_token is the parameter for the next page. */
export const getInventoryIndex: Handler<'getInventoryIndex'> = async (scope, { query: { limit, next_token } = {} }) => {
  const { store, user } = scope
  const size = queriedPage({ limit: limit ?? '0' }).limit
  const found = await store.slices.run(() => store.inventory.versions(user.id, size + 1, keyOf(next_token)), scope)
  const last = found.length > size ? found[size - 1] : undefined
  return {
    vatoms: found.slice(0, size).map(({ id, sync, when_modified }) => ({ id, sync, when_modified })),
    next_token: last ? `${last.created}-${last.seq}` : '',
  }
}

function keyOf(token = ''): Key | undefined {
  if (token === '') return undefined
  const [, created, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(token) ?? []
  if (created === undefined || seq === undefined) throw refusedToken()
  return { created: Number(created), seq: Number(seq) }
}

const refusedToken = () =>
  new ApiError('invalid', 'next_token does not come from an earlier page', [
    { path: 'next_token', message: 'must be the next_token of an earlier page' },
  ])

/** A hash of the ids and versions of the caller's vAtoms, which changes whenever one of them does. */
export const getInventoryHash: Handler<'getInventoryHash'> = async (scope) => ({
  hash: await scope.store.slices.run(() => scope.store.inventory.hash(scope.user.id), scope),
})

/** How many vAtoms of each variation the caller has: of those named, or of all; they are counted as the answer is read. */
export const getInventoryStats: Handler<'getInventoryStats'> = ({ store, user }, { body }) => {
  const named = new Set(body.template_variations)
  const variations = named.size > 0 ? named : store.inventory.variationsOf(user.id)
  return new JsonParts(statsParts(store.inventory.countsOf(user.id, variations)))
}

function* statsParts(counts: Iterable<readonly object[]>): Generator<string, void> {
  yield '{"stats":'
  yield* listParts(mapped(counts, (batch) => batch.map((one) => JSON.stringify(one))))
  yield '}'
}
