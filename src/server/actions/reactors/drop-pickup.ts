import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { isObject } from '../../../contract/schema/path.ts'
import { parseJson } from '../../../contract/unknown-values.ts'
import { timestamp } from '../../domain/clock.ts'
import { checkContents } from '../../domain/vatoms/contents.ts'
import { builtInOf } from '../../domain/vatoms/properties.ts'
import type { Steps } from '../../store/slices.ts'
import type { Position } from '../../store/vatoms/positions.ts'
import type { VatomRow } from '../../store/vatoms/vatoms.ts'
import { notificationBy } from '../notifications.ts'
import { checkMayLeave } from '../permissions.ts'
import type { Reactor, Run } from '../reactor.ts'
import { change, take } from '../vatom-change.ts'

/** The owner drops a vAtom at a place of the map, where everybody finds it. */
export const drop: Reactor = {
  forOwner: true,
  *act(run) {
    const { scope, vatom, input } = run
    if (builtInOf(vatom).dropped === true)
      throw errorAt('this.id', 'alreadyDropped', `the vAtom ${vatom.id} is already dropped`)
    checkMayLeave(scope, vatom)
    yield* place(run, positionIn(input))
    return { output: {} }
  },
}

/** Drops a vAtom at a position, or picks it up, with what is in it. */
function* place(run: Run, position: Position | undefined): Steps<void> {
  const { store, now } = run.scope
  const { id } = run.vatom
  yield* checkContents({ store, ids: [id], path: 'this.id' })
  yield* change(run, store.vatoms.place(id, position, timestamp(now)))
}

/** Clients differ in the case of `lat` and `lon`, and some write numbers as text. */
function positionIn(input: Run['input']): Position {
  const given = parsed(input['geo.pos'])
  const named = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
  return { lon: degrees(named, 'lon', 180), lat: degrees(named, 'lat', 90) }
}

const shape = 'must be an object such as {"lat": 47.37, "lon": 8.54}'

function parsed(value: unknown): Readonly<Record<string, unknown>> {
  const object = typeof value === 'string' ? parseJson(shortText(value)) : value
  if (isObject(object)) return object
  throw errorAt('geo.pos', 'invalid', `geo.pos ${shape}`)
}

function shortText(text: string): string {
  if (text.length <= limits.positionText) return text
  throw errorAt('geo.pos', 'invalid', `geo.pos must have at most ${limits.positionText} characters where it is a text`)
}

function degrees(point: Readonly<Record<string, unknown>>, name: string, most: number): number {
  const value = point[name]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Math.abs(number) <= most) return number
  throw errorAt(`geo.pos.${name}`, 'invalid', `geo.pos.${name} must be a number of degrees from -${most} to ${most}`)
}

/** Whoever finds a dropped vAtom takes it off the map, and becomes its owner. */
export const pickup: Reactor = {
  // Who comes too late no longer sees it: `notDropped` says why.
  reaches: (_scope, vatom) => {
    checkDropped(vatom)
    return true
  },
  *act(run) {
    const { scope, vatom } = run
    checkDropped(vatom)
    if (vatom.owner === scope.user.id) {
      yield* place(run, undefined)
      return { output: {} }
    }
    yield* take(run)
    return { output: {}, notification: notificationBy(scope.user, 'picked up your', vatom, vatom.owner) }
  },
}

function checkDropped(vatom: VatomRow): void {
  if (builtInOf(vatom).dropped !== true) throw errorAt('this.id', 'notDropped', `the vAtom ${vatom.id} is not dropped`)
}
