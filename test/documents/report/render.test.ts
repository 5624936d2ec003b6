import { describe, expect, test } from 'vitest'
import { formats } from '../../../src/contract/values.ts'
import type { Problem } from '../../../src/documents/load/loaded.ts'
import { problemRow } from '../../../src/documents/report/json.ts'
import { plain, render, summary } from '../../../src/documents/report/render.ts'
import { shortestTemplate } from '../../fixtures/yaml.ts'
import { loadText, shown } from '../../support/loading.ts'

const problem = (more: Partial<Problem> = {}): Problem => ({
  file: 'a.yaml',
  line: 1,
  column: 4,
  endLine: 1,
  endColumn: 5,
  rule: 'r',
  severity: 'error',
  path: 'p',
  message: 'm',
  ...more,
})
const one = (source: string, more: Partial<Problem> = {}, width = 80) =>
  render('text', [problem(more)], { paint: plain, width, sources: new Map([['a.yaml', source]]) })

describe('text', () => {
  test('shows the rule, the place and what to do', async () => {
    expect(shown(await loadText(shortestTemplate('titel: Coffee')))).toBe(
      `error[unknown-field]: unknown field titel in vatom.vAtom::vAtomType
 --> a.yaml:5:5
  |
4 |     root_type: vAtom::vAtomType
5 |     titel: Coffee
  |     ^^^^^
  = hint: did you mean title?
  = spec: 2.4
`,
    )
  })

  test('line numbers are as wide as they need to be', async () => {
    const text = `${shortestTemplate('description: |\n  a\n  b\n  c')}\ncloneable: on`
    expect(shown(await loadText(text))).toBe(
      `error[yaml-boolean]: must be true or false: in YAML 1.2 on is a string
  --> a.yaml:11:12
   |
10 |     a: 1
11 | cloneable: on
   |            ^^
   = hint: write true
   = spec: 2.2
`,
    )
  })

  test('a missing field points at its parent', async () => {
    expect(
      shown(await loadText('template: $publisher::T::v1\nvatom:\n  vAtom::vAtomType:\n    title: x\n')),
    ).toContain(`
3 |   vAtom::vAtomType:
  |   ^^^^^^^^^^^^^^^^
`)
  })

  test('a file that cannot be shown', () => {
    const {
      line: _line,
      column: _column,
      endLine: _end,
      endColumn: _endColumn,
      ...whole
    } = problem({ file: 'nope.yaml' })
    expect(render('text', [whole], { paint: plain, width: 80, sources: new Map() })).toBe(
      'error[r]: m\n --> nope.yaml\n',
    )
  })

  test.each([
    ['tabs', 'a\t\tb', 4, 5, 'a        b', '         ^'],
    ['wide characters', '日本: x', 5, 6, '日本: x', '      ^'],
    ['wide characters underlined', 'a: 日本', 4, 6, 'a: 日本', '   ^^^^'],
    ['emoji', '👍👍x', 5, 6, '👍👍x', '    ^'],
    ['a family', '👨‍👩‍👧x', 9, 10, '👨‍👩‍👧x', '  ^'],
    ['combining accents', 'e\u0301e\u0301x', 5, 6, 'e\u0301e\u0301x', '  ^'],
    ['escape sequences', 'a\u001b[31mb', 7, 8, 'a\\u001b[31mb', '           ^'],
    ['direction marks', 'a\u202eb', 3, 4, 'a\\u202eb', '       ^'],
    ['C1 controls', 'a\u009b31mb', 6, 7, 'a\\u009b31mb', '          ^'],
    ['the end of the line', 'abc', 4, 4, 'abc', '   ^'],
  ])('the underline stays right: %s', (_name, source, column, endColumn, line, underline) => {
    const rows = one(source, { column, endColumn }).split('\n')
    expect(rows.slice(3, 5)).toEqual([`1 | ${line}`, `  | ${underline}`])
  })

  test.each([
    ['at the start', 4, '1 | abcdefghijklmnopqrstuvwxyzabcdefghi…', '  |    ^'],
    ['in the middle', 2001, '1 | …bcdefghijklmnopqrstuvwxyzabcdefghi…', ''],
    ['at the end', 5197, '1 | …', ''],
  ])('a long line is cut around the place: %s', (_name, column, line, underline) => {
    const source = 'abcdefghijklmnopqrstuvwxyz'.repeat(200)
    const rows = one(source, { column, endColumn: column + 1 }, 40).split('\n')
    expect(rows.every((row) => row.length <= 40)).toBe(true)
    if (column === 4) expect(rows.slice(3, 5)).toEqual([line, underline])
    else expect(rows[3]?.startsWith('1 | …')).toBe(true)
    const under = (rows[4] ?? '').indexOf('^')
    expect(rows[3]?.charAt(under)).toBe(source.charAt(column - 1))
  })

  test('nothing from a file reaches the terminal as it is', () => {
    const text = one('x', { message: 'a\u001b]0;x\u0007\nb', file: 'a\u202e.yaml', hint: '\u009b', rule: 'r' })
    expect(text).toContain('a\\u001b]0;x\\u0007\\nb')
    expect(text).toContain('a\\u202e.yaml')
    expect(text).toContain('\\u009b')
  })

  test('of many that differ in their place alone, the first is shown, and where others are', () => {
    const alike = Array.from({ length: 30 }, (_, index) => problem({ severity: 'warning', line: index + 1 }))
    const shown = (problems: readonly Problem[]) =>
      render('text', problems, { paint: plain, width: 80, sources: new Map([['a.yaml', 'one']]) })
    const others = Array.from({ length: 10 }, (_, index) => `a.yaml:${index + 2}:4`)
    expect(shown([...alike, problem()])).toBe(
      `warning[r]: m
 --> a.yaml:1:4
  |
1 | one
  |    ^
  = also: in ${others.join(', ')} and 19 more

error[r]: m
 --> a.yaml:1:4
  |
1 | one
  |    ^
`,
    )
    expect(shown(alike.slice(0, 10)).match(/^warning/gm)).toHaveLength(10)
    expect(shown(alike.map((one, index) => ({ ...one, hint: `h ${index}` }))).match(/^warning/gm)).toHaveLength(30)
  })

  test('of a hundred thousand alike the first is shown without comparing each with all others', () => {
    const alike = Array.from({ length: 100_000 }, (_, line) => problem({ line }))
    const begun = performance.now()
    const text = render('text', alike, { paint: plain, width: 80, sources: new Map() })
    expect(performance.now() - begun).toBeLessThan(5000)
    expect(text).toContain(' and 99989 more\n')
  })

  test('of very many problems the worst are shown, and how many more there are', () => {
    const warnings = Array.from({ length: 300 }, (_, index) => problem({ severity: 'warning', message: `m ${index}` }))
    const text = render('text', [...warnings, problem()], { paint: plain, width: 80, sources: new Map() })
    expect(text).toMatch(/^error\[r\]/)
    expect(text.match(/^(error|warning)\[/gm)).toHaveLength(200)
    expect(text.endsWith('\nand 101 more problems\n')).toBe(true)
  })

  test('colours come from outside', () => {
    const tag = (name: string) => (text: string) => `<${name}>${text}</>`
    const paint = { red: tag('red'), yellow: tag('yellow'), cyan: tag('cyan'), bold: tag('bold') }
    const text = render('text', [problem({ severity: 'warning' })], {
      paint,
      width: 80,
      sources: new Map([['a.yaml', 'abcd']]),
    })
    expect(text).toBe(
      '<yellow>warning[r]</>: <bold>m</>\n <cyan>--></> a.yaml:1:4\n<cyan>  |</>\n<cyan>1 |</> abcd\n<cyan>  |</>    <yellow>^</>\n',
    )
  })
})

describe('other formats', () => {
  const show = (format: (typeof formats)[number], problems: readonly Problem[]) =>
    render(format, problems, { paint: plain, width: 80, sources: new Map() })

  test('json', () => {
    expect(JSON.parse(show('json', [problem({ hint: 'h' })]))).toEqual([
      { ...problem(), end_line: 1, end_column: 5, hint: 'h', spec: null },
    ])
    expect(Object.keys(problemRow({ file: 'a', rule: 'r', severity: 'error', path: '', message: 'm' }))).toHaveLength(
      13,
    )
  })

  test('github: errors first, everything escaped', () => {
    const odd = problem({ file: 'a,b:c%.yaml', message: '50%\nx', hint: 'y', severity: 'warning', endLine: 3 })
    expect(show('github', [odd, problem({ file: '<stdin>' })])).toBe(
      '::error line=1,col=4,endColumn=5,title=r::m\n' +
        '::warning file=a%2Cb%3Ac%25.yaml,line=1,endLine=3,title=r::50%25%0Ax%0Ay\n',
    )
  })

  test('github: the worst that it shows of a step, and how many more there are', () => {
    const many = (severity: 'error' | 'warning', count: number) =>
      Array.from({ length: count }, (_, index) => problem({ severity, message: `${severity} ${index}` }))
    const lines = (problems: readonly Problem[]) => show('github', problems).trimEnd().split('\n')
    const shown = lines([...many('warning', 11), ...many('error', 25)])
    expect(shown.map((line) => line.replace(/ file=.*::/, ' '))).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `::error error ${index}`),
      ...Array.from({ length: 10 }, (_, index) => `::warning warning ${index}`),
      '::notice title=vatom::15 more errors and 1 more warning: GitHub shows 10 of each in a step; see its log',
    ])
    expect(lines([...many('warning', 10), ...many('error', 10)]).join()).not.toContain('::notice')
    expect(lines(many('error', 11)).at(-1)).toContain('::1 more error: ')
  })

  test.each([
    ['a line break', 'x\n::error::y\r\n', 'x%0A::error::y\\u000d%0A'],
    ['too many characters', 'x'.repeat(5000), `${'x'.repeat(3999)}…`],
    ['a character cut in two', `${'x'.repeat(3998)}👍${'x'.repeat(9)}`, `${'x'.repeat(3998)}…`],
  ])('github: a message with %s stays one line', (_name, message, told) => {
    expect(show('github', [problem({ message })])).toBe(
      `::error file=a.yaml,line=1,col=4,endColumn=5,title=r::${told}\n`,
    )
  })

  test('github: files are named from the root of the checkout', () => {
    const files = ['a.yaml', 'b/a.yaml', '../a.yaml', '/x/a.yaml', '<stdin>', '<flags>'].map((file) =>
      problem({ file }),
    )
    const text = render('github', files, { paint: plain, width: 80, sources: new Map(), folder: 'shop/cat' })
    expect([...text.matchAll(/file=([^,]*)/g)].map(([, file]) => file)).toEqual([
      'shop/cat/a.yaml',
      'shop/cat/b/a.yaml',
      'shop/a.yaml',
      '/x/a.yaml',
    ])
  })

  describe.each(formats)('nothing from a file reaches a terminal or a log as it is: %s', (format) => {
    const hostile = 'x\u001b]52;c;aGk=\u0007\u009b2J\u202e\r\n::error::fake'
    test.each(['file', 'rule', 'path', 'message', 'hint', 'spec'] as const)('%s', (field) => {
      const text = show(format, [problem({ [field]: hostile, severity: 'warning' })])
      expect(text).not.toMatch(/[\p{Cc}\u202e](?<!\n)/u)
      expect(text).not.toMatch(/^\s*::\w+::/m)
    })
  })

  test.each(formats)('%s of no problems', (format) => {
    expect(() => show(format, [])).not.toThrow()
  })
})

test('the summary counts', () => {
  const warning = problem({ severity: 'warning' })
  expect(summary([])).toBe('no problems')
  expect(summary([warning])).toBe('1 warning in 1 file')
  expect(summary([problem(), problem(), problem({ file: 'b' }), warning])).toBe('3 errors, 1 warning in 2 files')
})

describe('characters that are none', () => {
  const message = 'half \ud800, none \ufffe\uffff, pair \u{e0041}, words \\ud800'

  test.each(['json', 'gitlab', 'sarif'] as const)('are replaced or escaped for readers of %s', (format) => {
    const text = render(format, [problem({ message, path: message })], { paint: plain, width: 80, sources: new Map() })
    const whole = message.replace('\ud800,', '\ufffd,')
    expect(JSON.stringify(JSON.parse(text))).toContain(JSON.stringify(whole))
    expect(text).not.toMatch(/[\ufffe\uffff]/)
  })

  test('are escaped in text', () => {
    expect(one('x', { message })).toContain('half \\ud800, none \\ufffe\\uffff, pair \\udb40\\udc41, words \\ud800')
  })
})
