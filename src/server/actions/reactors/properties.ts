import { ApiError, errorAt } from '../../../contract/api/errors.ts'
import { type Warning, warning } from '../../../contract/api/warnings.ts'
import { limits } from '../../../contract/limits.ts'
import { at, isObject, listAt, listedOnce, type Path, stepsOf } from '../../../contract/schema/path.ts'
import { describeType } from '../../../contract/schema/wording.ts'
import { privatePrefix } from '../../../contract/values.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { mergeInOrder } from '../../../contract/vatom/overlay.ts'
import { isOwn } from '../../domain/access.ts'
import type { ByUser, Warned } from '../../domain/caller.ts'
import {
  builtInOf,
  changedPrivate,
  privateOf,
  rewrite,
  type TypeChange,
  typeChanges,
} from '../../domain/vatoms/properties.ts'
import type { VatomRow } from '../../store/vatoms/vatoms.ts'
import { inOneStep, type Reactor, type Run } from '../reactor.ts'
import { publishChanged } from '../vatom-change.ts'

/** The owner sets the state Activated of a vAtom; if it is set already, nothing changes. Spec 2.4. */
export const activate: Reactor = {
  forOwner: true,
  act: inOneStep((run) => {
    const { scope, vatom } = run
    const states = listAt(builtInOf(vatom), 'states')
    if (states.every(isActivated)) return { output: {} }
    rewrite(scope, vatom, { type: { states: states.map(activated) } })
    publishChanged(run)
    return { output: {} }
  }),
}

/** Every state is the one named Activated: there is no other. Spec 2.4. */
const isActivated = (state: unknown) => at(state, 'value', 'value') === 'true'

const activated = (state: unknown): unknown =>
  isObject(state) ? { ...state, value: { type: 'boolean', value: 'true' } } : state

/** Changes custom properties that a vAtom has: for its owner, and for its publisher's administrators. Spec 2.4. */
export const privateProperties: Reactor = {
  reaches: isPublishers,
  act: inOneStep((run) => {
    const { scope, vatom } = run
    if (vatom.owner !== scope.user.id && !isPublishers(scope, vatom))
      throw new ApiError('foreignVatom', `the vAtom ${vatom.id} is neither yours nor of your publisher's`)
    const before = privateOf(vatom)
    const changes = changesIn(run, before)
    rewrite(scope, vatom, { private: changedPrivate(before, changes) })
    warnOfTypes(scope, changes, before)
    publishChanged(run)
    return { output: {} }
  }),
}

/** The vAtom has no schema: a text such as `zehn` in place of a number is stored, and is a mistake more often than not. */
function warnOfTypes({ warn }: Warned, changes: Section, earlier: Section): void {
  for (const change of typeChanges(changes, earlier)) warn(() => ofType(change))
}

/** Custom properties are private, and headers and lines of a log are read by others: no value is in it. */
function ofType({ path, before, after }: TypeChange): Warning {
  const printed = path()
  return warning('type-change', printed, `${printed} was ${describeType(before)}, and is ${describeType(after)} now`)
}

function isPublishers(scope: ByUser, vatom: VatomRow): boolean {
  const template = scope.store.templates.byName(vatom.template)
  return template !== undefined && isOwn(scope, template)
}

/** One object of all changes: those of `private`, then those of `private.<path>` with a value each. */
function changesIn({ input }: Run, before: Section): Section {
  const whole = input.private === undefined ? [] : [objectOf(input.private)]
  const single = Object.keys(input).filter((key) => key.startsWith(privatePrefix))
  if (whole.length + single.length === 0)
    throw errorAt('private', 'invalid', 'give the properties to change: private.NAME, or private with an object')
  if (single.length > limits.propertiesSet)
    throw errorAt(
      'private',
      'invalid',
      `set at most ${limits.propertiesSet} properties as private.NAME, more in an object: private`,
    )
  const keysOf = listedOnce()
  const stepsIn = (key: string) =>
    stepsOutsideLists(key, stepsOf(key.slice(privatePrefix.length), before, keysOf), before)
  return mergeInOrder([...whole, ...single.map((key) => nested(stepsIn(key), input[key]))])
}

function objectOf(value: unknown): Section {
  if (isObject(value)) return value
  throw errorAt('private', 'invalid', 'private must be an object')
}

/** Steps through custom properties, none of which is into a list. */
function stepsOutsideLists(key: string, steps: Path, before: Section): Path {
  if (steps.some((_, count) => Array.isArray(at(before, ...steps.slice(0, count)))))
    throw errorAt(key, 'invalid', 'a list is replaced as a whole')
  return steps
}

/** The object of changes for a path such as `private.size.unit`: `{ "size": { "unit": value } }`. */
const nested = (steps: Path, value: unknown): Section =>
  sectionOf(steps.reduceRight((inner, step) => ({ [step]: inner }), value))
