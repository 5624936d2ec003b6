import { createRequire } from 'node:module'
import path from 'node:path'
import vm from 'node:vm'
import { build } from 'esbuild'
import { root } from './vatom.mjs'

/** The exports of one of the sources' modules, for what is measured within this process. */
export async function loadSource(file) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    supported: { 'dynamic-import': false },
    external: ['@photostructure/sqlite'],
    logLevel: 'error',
  })
  const module = { exports: {} }
  const evaluate = vm.compileFunction(outputFiles[0].text, ['exports', 'require', 'module'], { filename: file })
  evaluate(module.exports, createRequire(path.join(root, 'package.json')), module)
  return module.exports
}
