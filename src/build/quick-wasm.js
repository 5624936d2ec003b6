import { setFlagsFromString } from 'node:v8'

const { Module } = WebAssembly

/**
 * Takes the place of WebAssembly.Module in bundles: code that runs once is compiled quickly and not a second time in the
 * background, which a process that is done would wait for.
 */
export function QuickModule(bytes) {
  setFlagsFromString('--liftoff-only')
  try {
    return new Module(bytes)
  } finally {
    // What flags a script was compiled under must match its kept code.
    setFlagsFromString('--no-liftoff-only')
  }
}
