import { describe, expect, test } from 'vitest'
import { createPaint } from '../../../src/cli/io/paint.ts'
import { render } from '../../../src/cli/io/text.ts'
import { renderPage } from '../../../src/cli/manual/render.ts'

const plain = await createPaint(0)
const painted = await createPaint(1)
const shown = (page: string, columns = 40, paint = plain) => renderPage(page, { columns, paint }).map(render)

describe('a page as lines', () => {
  test('a heading stands at the margin, text behind it, wrapped between words', () =>
    expect(shown('# Title\n\nSome text that is longer than\none line of the screen.', 30)).toEqual([
      'Title',
      '',
      '  Some text that is longer',
      '  than one line of the screen.',
    ]))
  test('items of a list stand together, their later lines below the first', () =>
    expect(shown('- one that is long enough\n- two\n\n1. first', 20)).toEqual([
      '  - one that is long',
      '    enough',
      '  - two',
      '  1. first',
    ]))
  test('code is indented and never wrapped', () =>
    expect(shown('```sh\nvatom plan shop\n\n  # a comment\n```', 12)).toEqual([
      '    vatom plan shop',
      '',
      '      # a comment',
    ]))
  test('comments are left out', () => expect(shown('<!-- session -->\n\n```sh\nls\n```')).toEqual(['    ls']))
  test('pictures are left out', () =>
    expect(shown('one\n\n![A list\nof users](pictures/users.webp)\n\ntwo')).toEqual(['  one', '', '  two']))
  test('without colours backquotes tell code from text; with colours they are not needed', () => {
    expect(shown('run `vatom plan`, **always**.')).toEqual(['  run `vatom plan`, always.'])
    expect(shown('run `plan`, **always**.', 40, painted)).toEqual([
      '  run \u001b[36mplan\u001b[39m, \u001b[1malways\u001b[22m.',
    ])
  })
  test('a link to a page names its command, one to the web its address, another its text', () => {
    expect(shown('see [rules](rules.md)', 80)).toEqual(['  see rules (`vatom help rules`)'])
    expect(shown('see [rules](../src/docs/rules.md)', 80)).toEqual(['  see rules (`vatom help rules`)'])
    expect(shown('see [it](https://x.example)', 80)).toEqual(['  see it (https://x.example)'])
    expect(shown('see [results](../test/RESULTS.md)', 80)).toEqual(['  see results'])
  })
})

describe('a table', () => {
  const table = '| Name | Meaning |\n| --- | --- |\n| `a\\|b` | some text that is wrapped |\n| c | d |'
  test('stands in columns, the widest of which is wrapped', () =>
    expect(shown(table, 26)).toEqual(['  Name  Meaning', '  a|b   some text that is', '        wrapped', '  c     d']))
  test('without titles has no line for them', () =>
    expect(shown('| | |\n| --- | --- |\n| a | b |')).toEqual(['  a  b']))
  test('whose columns do not fit beside each other is a list of its rows', () =>
    expect(shown(table.replaceAll('`a\\|b`', 'a_long_name_of_something'), 30)).toEqual([
      '  a_long_name_of_something',
      '    Meaning  some text that is',
      '             wrapped',
      '',
      '  c',
      '    Meaning  d',
    ]))
})
