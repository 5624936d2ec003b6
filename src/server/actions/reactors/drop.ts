import { errorAt } from '../../../contract/api/errors.ts'
import { isObject } from '../../../contract/schema/path.ts'
import { timestamp } from '../../clock.ts'
import { checkOwner } from '../../domain/access.ts'
import { builtInOf } from '../../domain/folders.ts'
import type { Position } from '../../store/positions.ts'
import { change, checkMayLeave } from '../change-set.ts'
import type { Reactor, Run } from '../reactor.ts'

/** The owner leaves a vAtom at a place, where everybody finds it. */
export const drop: Reactor = {
  act: (run) => {
    const { scope, vatom, input } = run
    checkOwner(scope, vatom)
    if (builtInOf(vatom).dropped === true)
      throw errorAt('this.id', 'alreadyDropped', `the vAtom ${vatom.id} is dropped already`)
    checkMayLeave(scope, vatom)
    const position = positionIn(input)
    change(run, () => scope.store.vatoms.place(vatom.id, position, timestamp(scope.now)))
    return { output: {} }
  },
}

/** Clients write the names of the coordinates in one case or another, and numbers as text. */
function positionIn(input: Run['input']): Position {
  const given = parsed(input['geo.pos'])
  const named = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
  return { lon: degrees(named, 'lon', 180), lat: degrees(named, 'lat', 90) }
}

const shape = 'must be an object such as {"lat": 47.37, "lon": 8.54}'

function parsed(value: unknown): Readonly<Record<string, unknown>> {
  const object = typeof value === 'string' ? jsonIn(value) : value
  if (isObject(object)) return object
  throw errorAt('geo.pos', 'invalid', `geo.pos ${shape}`)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function degrees(point: Readonly<Record<string, unknown>>, name: string, most: number): number {
  const value = point[name]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Math.abs(number) <= most) return number
  throw errorAt(`geo.pos.${name}`, 'invalid', `geo.pos.${name} must be a number of degrees from -${most} to ${most}`)
}
