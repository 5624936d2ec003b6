import type { Reactor } from '../reactor.ts'
import { acquire, acquirePubVariation, dispense } from './acquire.ts'
import { clone } from './clone.ts'
import { combine, open, split, uncombine } from './combine-split.ts'
import { discover } from './discover.ts'
import { drop, pickup } from './drop-pickup.ts'
import { activate, privateProperties } from './properties.ts'
import { redeem } from './redeem.ts'
import { trade, transfer } from './transfer.ts'

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
