import type { Handler } from '../handlers.ts'
import { assetProviders } from './session.ts'

/** Where assets are, and what their addresses need: nothing. */
export const getAssetProviders: Handler<'getAssetProviders'> = (scope) => assetProviders(scope)
