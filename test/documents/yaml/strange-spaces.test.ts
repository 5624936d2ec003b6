import { expect, test } from 'vitest'
import { yamlLines } from '../../../src/cli/io/yaml.ts'
import { yamlText } from '../../../src/documents/edit/yaml-text.ts'
import { shortestTemplate } from '../../fixtures/yaml.ts'
import { loadText } from '../../support/loading.ts'

test.each(['5\u00a0', '\u3000five', 'a:\u00a0b'])(
  'a text that seems to have a space by mistake, %j, is written in quotes, and read as it is',
  async (text) => {
    for (const written of [yamlLines({ note: text }).join('\n'), yamlText({ note: text }).trimEnd()]) {
      const { problems, documents } = await loadText(shortestTemplate('', written))
      expect(problems).toEqual([])
      expect(documents[0]?.value).toMatchObject({ vatom: { private: { note: text } } })
    }
  },
)
