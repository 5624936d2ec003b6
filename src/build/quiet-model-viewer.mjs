import { readFileSync } from 'node:fs'

/** A part of a package's text, exactly once; a new version that differs ends the build. */
function only(text, pattern, path) {
  const [found, more] = text.matchAll(pattern)
  if (!found || more) throw new Error(`${path} is not as expected: ${pattern}`)
  return found
}

/** The styles of the element as a sheet, for a `<style>` in it is one in line, which strict pages refuse. */
function withSheet(path) {
  const text = readFileSync(path, 'utf8')
  const [element, styles] = only(text, /<style>(.*?)<\/style>/gs, path)
  const [draws] = only(text, /render\(templateResult, shadowRoot\);/g, path)
  return text
    .replace(element, '')
    .replace(draws, () => `${draws}\nshadowRoot.adoptedStyleSheets = [sheet];`)
    .concat(`\nconst sheet = new CSSStyleSheet();\nsheet.replaceSync(${JSON.stringify(styles)});\n`)
}

/**
 * Takes out of `<model-viewer>` what a strict page refuses: styles in line, and the WebAssembly of a decoder, without
 * which models that need it are not shown.
 */
export const quietModelViewer = {
  name: 'quiet-model-viewer',
  setup(bundle) {
    bundle.onLoad({ filter: /@google\/model-viewer\/lib\/template\.js$/ }, ({ path }) => ({
      contents: withSheet(path),
    }))
    bundle.onLoad({ filter: /\/libs\/meshopt_decoder\.module\.js$/ }, () => ({
      contents: 'export const MeshoptDecoder = { supported: false, ready: Promise.resolve() }',
    }))
  },
}
