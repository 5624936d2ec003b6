import { defineConfig } from 'vitest/config'
import shared from '../vitest.config.mts'

/** Tests of the installed package, in test runners and with compilers that are packages of their own. */
export default defineConfig({ ...shared, test: { ...shared.test, include: ['test/integration/*.it.ts'] } })
