import { createRequire } from 'node:module'
import vm from 'node:vm'
import { build } from 'esbuild'

/** The exports of a source file of ours, evaluated in this process. */
export async function evaluateSource(root, entryPoint) {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    absWorkingDir: root,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    logLevel: 'warning',
    loader: { '.md': 'text' },
  })
  const module = { exports: {} }
  const evaluate = vm.compileFunction(outputFiles[0].text, ['exports', 'require', 'module'])
  evaluate(module.exports, createRequire(import.meta.url), module)
  return module.exports
}
