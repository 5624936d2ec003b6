import { defineConfig } from 'vitest/config'
import shared from '../vitest.config.mts'

/** The tests of the web SDK, which the packages of its own folder are installed for. */
export default defineConfig({ ...shared, test: { ...shared.test, include: ['test/sdk/*.sdk.ts'] } })
