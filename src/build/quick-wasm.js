import { setFlagsFromString } from 'node:v8'

const { Module } = WebAssembly

/** The defaults again, what the flag implies included: kept code is only taken under the flags it was made under. */
function restoreFlags() {
  for (const flag of ['--no-liftoff-only', '--wasm-tier-up', '--wasm-dynamic-tiering']) setFlagsFromString(flag)
}

/**
 * Takes the place of WebAssembly.Module in bundles: what runs once is compiled quickly, and not a second time in the
 * background, which a process that is done would wait for.
 */
export function QuickModule(bytes) {
  setFlagsFromString('--liftoff-only')
  process.prependOnceListener('exit', restoreFlags)
  return new Module(bytes)
}
