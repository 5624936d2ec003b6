import type { Reactor } from '../reactor.ts'
import { acquire } from './acquire.ts'
import { acquirePubVariation } from './acquire-pub-variation.ts'
import { activate } from './activate.ts'
import { clone } from './clone.ts'
import { combine } from './combine.ts'
import { discover } from './discover.ts'
import { dispense } from './dispense.ts'
import { drop } from './drop.ts'
import { open } from './open.ts'
import { pickup } from './pickup.ts'
import { privateProperties } from './private-properties.ts'
import { redeem } from './redeem.ts'
import { split, uncombine } from './split.ts'
import { trade } from './trade.ts'
import { transfer } from './transfer.ts'

/** The reactors that the service carries out, by name. */
export const reactors: ReadonlyMap<string, Reactor> = new Map([
  ['blockv://v1/Transfer', transfer],
  ['blockv://v1/Clone', clone],
  ['blockv://v1/AcquireWithCoins', acquire],
  ['blockv://v1/AcquirePubVariationWithCoins', acquirePubVariation],
  ['blockv://v1/Redeem', redeem],
  ['blockv://v1/Drop', drop],
  ['blockv://v1/Pickup', pickup],
  ['blockv://v1/Activate', activate],
  ['blockv://v1/Combine', combine],
  ['blockv://v1/Split', split],
  ['blockv://v1/Uncombine', uncombine],
  ['blockv://v1/Dispense', dispense],
  ['blockv://v1/Discover', discover],
  ['blockv://v1/Open', open],
  ['blockv://v1/Trade', trade],
  ['blockv://custom/privateproperties', privateProperties],
])
