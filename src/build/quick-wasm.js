import { setFlagsFromString } from 'node:v8'

/** The defaults again, what the flag implies included: compiled code is only taken under the flags it was made under. */
function restoreFlags() {
  for (const flag of ['--no-liftoff-only', '--wasm-tier-up', '--wasm-dynamic-tiering']) setFlagsFromString(flag)
}

/**
 * Takes the place of WebAssembly.Module: what runs once is compiled quickly, and not a second time in the background,
 * which a process that is done would wait for.
 */
export function Module(bytes) {
  setFlagsFromString('--liftoff-only')
  process.prependOnceListener('exit', restoreFlags)
  return new globalThis.WebAssembly.Module(bytes)
}

export const { Instance } = globalThis.WebAssembly
