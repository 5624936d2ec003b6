import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Collects the packages whose code goes into bundles, and what their licences want to be passed on. */
export class Notices {
  #root
  #packages = new Set()

  constructor(root) {
    this.#root = root
    this.plugin = {
      name: 'notices',
      setup: (bundle) => {
        bundle.initialOptions.metafile = true
        bundle.onEnd(({ metafile }) => this.#collect(Object.keys(metafile?.inputs ?? {})))
      },
    }
  }

  #collect(inputs) {
    for (const input of inputs) {
      const [found] = input.match(/^(.*node_modules\/(@[^/]+\/)?[^/]+)\//)?.slice(1) ?? []
      if (found) this.#packages.add(found)
    }
  }

  /** Name, version, licence and licence text of every package, in the order of their names. */
  text() {
    const parts = [...this.#packages].sort().map((folder) => this.#notice(path.join(this.#root, folder)))
    return `vatom holds code of these packages.\n\n${parts.join('\n\n')}\n`
  }

  #notice(folder) {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const file = existsSync(folder) && readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file ? readFileSync(path.join(folder, file), 'utf8').trim() : ''
    return [`${'-'.repeat(72)}\n${name} ${version} (${license})`, text].filter(Boolean).join('\n\n')
  }
}
