import { ApiError, errorAt } from '../../../contract/api/errors.ts'
import { emitted, mostEmitted } from '../../domain/vatoms/emission.ts'
import { againstHolding } from '../../domain/vatoms/folders.ts'
import { builtInOf } from '../../domain/vatoms/properties.ts'
import type { Steps } from '../../store/slices.ts'
import type { UserRow } from '../../store/users.ts'
import type { VariationRow } from '../../store/variations.ts'
import type { VatomRow } from '../../store/vatoms/vatoms.ts'
import { notificationBy } from '../notifications.ts'
import { checkPermission, checkUsable, unavailable } from '../permissions.ts'
import type { Reactor, Run } from '../reactor.ts'
import { handOver, take } from '../vatom-change.ts'

/** Whoever sees an acquirable vAtom becomes its owner; nobody else can acquire it then. Nothing is paid. Spec 2.4. */
export const acquire: Reactor = {
  *act(run) {
    const { scope, vatom } = run
    if (vatom.owner === scope.user.id)
      throw errorAt('this.id', 'alreadyOwned', `the vAtom ${vatom.id} is already yours`)
    checkPermission(vatom, 'acquirable')
    yield* take(run, { acquirable: false })
    return { output: {}, notification: acquiredBy(scope.user, vatom) }
  },
}

/** Makes a new vAtom for the caller, of the variation of any vAtom that they name, if it lets anybody have one. */
export const acquirePubVariation: Reactor = {
  reaches: ({ store }, vatom) => closedBecause(store.variations.byName(vatom.template_variation)) === undefined,
  rows: ({ variations }, { template_variation: name }) => mostEmitted(variations.byName(name), 1),
  *act(run) {
    return { output: { ids: yield* made(run, openVariation(run)) } }
  },
}

function openVariation({ scope: { store }, vatom: { template_variation: name } }: Run): VariationRow {
  const variation = store.variations.byName(name)
  const why = closedBecause(variation)
  if (!variation || why !== undefined) throw unavailable(`the variation ${name} ${why}`)
  return variation
}

/** Why a variation does not let anybody have a vAtom; undefined if it does. */
function closedBecause(variation: VariationRow | undefined): string | undefined {
  if (variation?.unpublished !== 0) return 'is not published'
  if (variation.public !== 1) return 'is not public'
  return variation.auto_create_on_acquire === 1 ? undefined : 'does not have auto_create_on_acquire'
}

/** A variation of a folder's children may no longer exist, which only its publisher can correct. */
function* made({ scope, name: action }: Run, variation: VariationRow): Steps<string[]> {
  try {
    const { ids } = yield* emitted(scope, variation, 1, { action, paths: { variation: 'this.id', num: 'this.id' } })
    return ids
  } catch (error) {
    if (error instanceof ApiError && (error.kind === 'missingReference' || error.kind === 'foreignRecord'))
      throw unavailable(error.message)
    throw error
  }
}

/**
 * Takes the oldest vAtom that the caller sees out of a folder, and gives it to the caller. Others than its owner get only
 * an acquirable one, which is not acquirable then.
 */
export const dispense: Reactor = {
  *act({ scope, name, vatom: folder }) {
    const why = againstHolding(builtInOf(folder).root_type)
    if (why) throw errorAt('this.id', 'invalid', why)
    const vatom = scope.store.vatoms.firstSeen(folder.id, scope.user.id)
    if (!vatom) throw errorAt('this.id', 'folderEmpty', `the folder ${folder.id} contains nothing that you can see`)
    checkUsable(vatom)
    const output = { ids: [vatom.id] }
    if (vatom.owner === scope.user.id) {
      yield* handOver({ scope, name, vatom }, scope.user.id)
      return { output }
    }
    checkPermission(vatom, 'acquirable')
    yield* take({ scope, name, vatom }, { acquirable: false })
    return { output, notification: acquiredBy(scope.user, vatom) }
  },
}

const acquiredBy = (user: UserRow, vatom: VatomRow) => notificationBy(user, 'acquired your', vatom, vatom.owner)
