import { describe, expect, test } from 'vitest'
import { kinds } from '../../../src/contract/values.ts'
import { action, face, shortestTemplate, template, variation } from '../../fixtures/yaml.ts'
import { loadText, places } from '../../support/loading.ts'

interface Trap {
  readonly name: string
  readonly text: string
  readonly rule: string
  /** line:column, underlined text; without it the whole file is meant. */
  readonly at?: string
  readonly under?: string
  readonly says: RegExp
  readonly hint?: string
  readonly severity?: 'warning'
}

const states = (value: string) => `states:\n  - name: Activated\n    value: {type: boolean, value: ${value}}`
const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  .concat(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
      (n) =>
        `a${n}: &a${n} [${Array(10)
          .fill(`*a${n - 1}`)
          .join(', ')}]`,
    ),
  )
  .join('\n')

const toWrite = 'write a document in it: vatom help catalog shows the kinds; or remove the file'
const traps: readonly Trap[] = [
  {
    name: 'a list of documents',
    text: '- template: a',
    rule: 'type',
    at: '1:1',
    says: /a set of "key: value" fields, not a list/,
    hint: 'write the fields of each document without "- ", and a line --- between documents',
  },
  {
    name: 'a list of documents as in JSON',
    text: '[{"template": "a"}]',
    rule: 'type',
    at: '1:1',
    says: /a set of "key: value" fields, not a list/,
    hint: 'write each document into a file of its own, without the brackets of the list',
  },
  {
    name: 'no is a string',
    text: `unpublished: no\n${shortestTemplate()}`,
    rule: 'yaml-boolean',
    at: '1:14',
    under: 'no',
    says: /in YAML 1.2 no is a string/,
    hint: 'write false',
  },
  ...['no', 'Yes'].map((word) => ({
    name: `"${word}" is a string because of its quotes`,
    text: `${shortestTemplate()}\ncloneable: "${word}"`,
    rule: 'yaml-boolean',
    at: '7:12',
    under: `"${word}"`,
    says: new RegExp(`^must be true or false, not the string "${word}"$`),
    hint: `write ${word === 'no' ? 'false' : 'true'}, without quotes`,
  })),
  ...['yes', 'on', 'Yes', 'off', 'N'].map((word) => ({
    name: `${word} is a string`,
    text: `${shortestTemplate()}\ncloneable: ${word}`,
    rule: 'yaml-boolean',
    at: '7:12',
    under: word,
    says: /must be true or false/,
    hint: `write ${/^(yes|on)$/i.test(word) ? 'true' : 'false'}`,
  })),
  ...['yes', 'on', 'Yes', 'off', 'NO'].map((word) => ({
    name: `${word} among custom properties is a text`,
    text: shortestTemplate('', `deep: [{vip: ${word}}]`),
    rule: 'yaml-word',
    at: '7:18',
    under: word,
    says: new RegExp(`^${word} without quotes is a text here, not (true|false)$`),
    hint: `write ${/^(yes|on)$/i.test(word) ? 'true' : 'false'}, or "${word}" if a text is meant`,
    severity: 'warning' as const,
  })),
  ...['“Free tea”', '„Free tea“', '”Free tea”', '‘Free tea’', '“Free\n      tea”'].map((text) => ({
    name: `a text in curly quotes, ${text}`,
    text: shortestTemplate(`title: ${text}`),
    rule: 'yaml-curly',
    at: '5:12',
    says: /^curly quotes are none for YAML: they are part of the text$/,
    hint: 'write "Free tea"; if the quotes are meant, put the text with them in plain ones',
    severity: 'warning' as const,
  })),
  {
    name: 'a text in curly quotes with plain ones in it',
    text: shortestTemplate('', 'said: “Say "hello"”'),
    rule: 'yaml-curly',
    at: '7:11',
    under: '“Say "hello"”',
    says: /curly quotes/,
    hint: 'write "Say \\"hello\\""; if the quotes are meant, put the text with them in plain ones',
    severity: 'warning',
  },
  {
    name: 'a boolean in curly quotes',
    text: shortestTemplate('redeemable: “true”'),
    rule: 'type',
    at: '5:17',
    says: /^must be true or false, not the string/,
  },
  {
    name: 'a quoted true',
    text: shortestTemplate('redeemable: "true"'),
    rule: 'yaml-boolean',
    at: '5:17',
    under: '"true"',
    says: /not the string "true"/,
    hint: 'write true, without quotes',
  },
  {
    name: 'an unquoted true',
    text: shortestTemplate(states('true')),
    rule: 'yaml-quotes',
    at: '7:39',
    under: 'true',
    says: /must be a string: true without quotes/,
    hint: 'write "true"',
  },
  {
    name: 'a uint of more digits than a number has',
    text: `${shortestTemplate()}\neth: {network: testnet, fields: {a: {type: uint, value: 9007199254740993}}}`,
    rule: 'yaml-number',
    at: '7:57',
    under: '9007199254740993',
    says: /must be a string: 9007199254740993 without quotes is the number 9007199254740992/,
    hint: 'write "9007199254740993"',
  },
  {
    name: 'a colour that is a comment',
    text: shortestTemplate('', 'colour: #fff'),
    rule: 'yaml-comment',
    at: '7:13',
    under: '#fff',
    says: /#fff is a comment/,
    hint: 'write "#fff"',
  },
  {
    name: 'a text that is a comment',
    text: shortestTemplate('title: #1 in town'),
    rule: 'yaml-comment',
    at: '5:12',
    under: '#1 in town',
    says: /#1 in town is a comment/,
    hint: 'write "#1 in town"',
  },
  ...['#7', '#beer today', '#état', '#1 of "it"'].map((end) => ({
    name: `a text that ends before ${end}`,
    text: shortestTemplate(`title: Free pint ${end}  \ndescription: x`),
    rule: 'yaml-comment',
    at: '5:22',
    under: end,
    says: new RegExp(`^the text ends before ${end}, which is a comment$`),
    hint: `write ${JSON.stringify(`Free pint ${end}`)}; if a comment is meant, write a space after its #`,
    severity: 'warning' as const,
  })),
  {
    name: 'a text of several lines that ends before a #',
    text: shortestTemplate('', 'said: {a: Free\n      pint #7\n      }'),
    rule: 'yaml-comment',
    at: '8:16',
    under: '#7',
    says: /^the text ends before #7,/,
    hint: 'write "Free pint #7"; if a comment is meant, write a space after its #',
    severity: 'warning',
  },
  {
    name: 'a bare *',
    text: shortestTemplate('visibility:\n  value: *'),
    rule: 'yaml-alias',
    at: '6:14',
    under: '*',
    says: /a bare \* is an alias/,
    hint: 'write "*"',
  },
  {
    name: 'a text that begins with *',
    text: shortestTemplate('', 'match: *.pdf'),
    rule: 'yaml-alias',
    at: '7:12',
    under: '*.pdf',
    says: /\*\.pdf is an alias/,
    hint: 'a text that begins with * needs quotes: "*.pdf"',
  },
  {
    name: 'an alias of an earlier document',
    text: `${shortestTemplate('', 'b: &c x').replace('::T::', '::S::')}\n---\n${shortestTemplate('', 'match: *c')}`,
    rule: 'yaml-alias',
    at: '15:12',
    under: '*c',
    says: /\*c is an alias of &c, which is in another document of the file/,
    hint: 'an anchor is known up to the next ---: write the value again',
  },
  {
    name: 'an alias inside what it names',
    text: shortestTemplate('', 'b: &b [*b]'),
    rule: 'yaml-alias',
    at: '7:12',
    under: '*b',
    says: /inside the value that it names/,
  },
  {
    name: 'an alias bomb',
    text: `${bomb}\n${shortestTemplate()}`,
    rule: 'yaml-alias',
    at: '1:1',
    says: /more than 10000 values/,
  },
  {
    name: 'a text that begins with @',
    text: shortestTemplate('title: @home'),
    rule: 'yaml-quotes',
    at: '5:12',
    under: '@',
    says: /begins with @ needs quotes/,
  },
  {
    name: 'a key that is set twice',
    text: shortestTemplate('title: A\ntitle: B'),
    rule: 'yaml-duplicate',
    at: '6:5',
    under: 'title',
    says: /title is set twice; the first one is at a\.yaml:5:5/,
  },
  {
    name: 'a second document without a line before it',
    text: `${shortestTemplate()}\ntemplate: $publisher::U::v1\n`,
    rule: 'yaml-duplicate',
    at: '7:1',
    under: 'template',
    says: /template is set twice; the first one is at a\.yaml:1:1/,
    hint: 'keep one of them; if another document begins here, write a line --- before it',
  },
  ...['--', '----', '***', '===', '—', '  ---'].map((line) => ({
    name: `${line} between documents`,
    text: `${shortestTemplate()}\n${line}\n${shortestTemplate()}`,
    rule: 'yaml-document',
    at: `7:${line.indexOf(line.trim()) + 1}`,
    under: line.trim(),
    says: /is no line that parts documents here/,
    hint: 'between documents write a line --- that nothing else is on, and that is not indented',
  })),
  {
    name: 'half of a conflict of git',
    text: `${shortestTemplate()}\n=======\n    b: 2\n>>>>>>> main\n`,
    rule: 'yaml-syntax',
    at: '7:1',
    says: /merge conflict at line 7: git has left its marks/,
  },
  {
    name: 'a directive without a line before the document',
    text: `%YAML 1.2\n${shortestTemplate()}`,
    rule: 'yaml-syntax',
    at: '2:1',
    says: /no line --- is between the lines with % and the document/,
    hint: 'remove the line %YAML, or write a line --- below it',
  },
  {
    name: 'a tab that indents',
    text: 'vatom:\n\tprivate: {}\n',
    rule: 'yaml-tab',
    at: '2:1',
    says: /a tab cannot indent/,
    hint: 'indent with spaces',
  },
  ...[`cloneable\uff1atrue\n${shortestTemplate()}`, `\n${shortestTemplate()}\ncloneable\uff1a true`].map((text) => ({
    name: `a wide colon behind a key in ${JSON.stringify(text.slice(0, 9))}`,
    text,
    rule: 'yaml-syntax',
    at: text.startsWith('c') ? '1:10' : '8:10',
    under: '\uff1a',
    says: /^\uff1a \(U\+FF1A\) looks like a colon, and is none for YAML$/,
    hint: 'write cloneable: with a plain colon and a space',
  })),
  {
    name: 'a boolean in wide letters',
    text: `${shortestTemplate()}\ncloneable: \uff34\uff52\uff55\uff45`,
    rule: 'yaml-boolean',
    at: '7:12',
    says: /must be true or false/,
    hint: 'write true',
  },
  {
    name: 'a no-break space that indents',
    text: 'vatom:\n  \u00a0private: {}\n  other: {}\n',
    rule: 'yaml-space',
    at: '2:3',
    under: '\u00a0',
    says: /^a no-break space \(U\+00A0\) looks like a space, and is none for YAML$/,
    hint: 'write a space in its place',
  },
  {
    name: 'a key that begins with a wide space',
    text: 'vatom:\n\u3000private: {a: 1}\n',
    rule: 'yaml-space',
    at: '2:1',
    under: '\u3000',
    says: /^a space of another kind \(U\+3000\) /,
  },
  {
    name: 'a no-break space behind a colon',
    text: `${shortestTemplate()}\ncloneable:\u00a0true`,
    rule: 'yaml-space',
    at: '7:11',
    under: '\u00a0',
    says: /no-break space/,
  },
  {
    name: 'a field that became a text by a no-break space',
    text: shortestTemplate('', 'size:\n      width:\u00a05'),
    rule: 'yaml-space',
    at: '8:17',
    under: '\u00a0',
    says: /no-break space/,
  },
  {
    name: 'a no-break space behind a value',
    text: `${shortestTemplate()}\ncloneable: true\u00a0`,
    rule: 'yaml-space',
    at: '7:16',
    under: '\u00a0',
    says: /no-break space/,
  },
  {
    name: '__proto__',
    text: shortestTemplate('', '__proto__: {admin: true}'),
    rule: 'unsafe-key',
    at: '7:5',
    under: '__proto__',
    says: /cannot be the name of a field/,
  },
  {
    name: 'constructor.prototype',
    text: shortestTemplate('', 'constructor: {prototype: 1}'),
    rule: 'unsafe-key',
    at: '7:19',
    says: /prototype cannot/,
  },
  {
    name: '0012 where a text is wanted',
    text: shortestTemplate('title: 0012'),
    rule: 'yaml-number',
    at: '5:12',
    under: '0012',
    says: /0012 without quotes is the number 12/,
    hint: 'write "0012"',
  },
  {
    name: '0012 where anything goes',
    text: shortestTemplate('', 'serial: 0012'),
    rule: 'yaml-number',
    at: '7:13',
    says: /read as the number 12/,
    severity: 'warning',
  },
  ...[
    ['+41791234567', 41791234567],
    ['1.10', 1.1],
    ['0x1F', 31],
    ['12e4', 120000],
  ].map(([source, value]) => ({
    name: `${source} where anything goes`,
    text: shortestTemplate('', `deep: [{a: ${source}}]`),
    rule: 'yaml-number',
    at: '7:16',
    under: String(source),
    says: new RegExp(`^[+]?${String(source).replace('+', '')} is read as the number ${value}$`),
    hint: `write ${value}, or "${source}" if a text is meant`,
    severity: 'warning' as const,
  })),
  {
    name: 'hundreds of digits where a text is wanted',
    text: shortestTemplate(`title: ${'7'.repeat(300)}`),
    rule: 'yaml-number',
    at: '5:12',
    says: /: 7{40}… without quotes is the number 7\.7+8e\+299$/,
    hint: `write "${'7'.repeat(40)}…"`,
  },
  {
    name: 'hundreds of digits where anything goes',
    text: shortestTemplate('', `serial: ${'7'.repeat(300)}`),
    rule: 'yaml-number',
    at: '7:13',
    says: /^7{40}… is read as the number/,
    hint: `write "${'7'.repeat(40)}…" to keep it as it is`,
    severity: 'warning',
  },
  {
    name: 'a uint that is not whole',
    text: `${shortestTemplate()}\neth: {network: testnet, fields: {a: {type: uint, value: 1.5}}}`,
    rule: 'value',
    at: '7:57',
    under: '1.5',
    says: /whole number of 0 or more/,
  },
  {
    name: 'a price of more digits than a number keeps',
    text: shortestTemplate('commerce: {pricing: {pricingType: Fixed, value: {price: 12345678901234567890.123}}}'),
    rule: 'yaml-number',
    at: '5:61',
    says: /^12345678901234567890\.123 is read as the number 12345678901234567000$/,
    hint: 'round it yourself: a number has 17 digits at most',
    severity: 'warning',
  },
  {
    name: 'more digits than a number keeps',
    text: shortestTemplate('', 'serial: 12345678901234567890'),
    rule: 'yaml-number',
    at: '7:13',
    says: /read as the number/,
    severity: 'warning',
  },
  {
    name: 'more digits than any number has',
    text: shortestTemplate('', `x: ${'7'.repeat(400)}`),
    rule: 'json-number',
    at: '7:8',
    says: /^7{40}… is a number that JSON cannot represent$/,
    hint: `quote it if it is a text: "${'7'.repeat(40)}…"`,
  },
  ...['.inf', '-.INF', '.nan', '1e400'].map((number) => ({
    name: number,
    text: shortestTemplate('', `x: ${number}`),
    rule: 'json-number',
    at: '7:8',
    under: number,
    says: /a number that JSON cannot represent/,
  })),
  {
    name: 'a number as a key',
    text: shortestTemplate('', '1: x'),
    rule: 'yaml-key',
    at: '7:5',
    under: '1',
    says: /the key 1 is not a text/,
    hint: 'write "1"',
  },
  {
    name: 'a list as a key',
    text: shortestTemplate('', '? [a]\n: b'),
    rule: 'yaml-key',
    at: '7:7',
    says: /a key must be a text/,
  },
  {
    name: 'a tag of its own',
    text: shortestTemplate('', 'x: !secret y'),
    rule: 'yaml-tag',
    at: '7:8',
    under: '!secret y',
    says: /the tag !secret has no meaning/,
  },
  {
    name: 'a value that does not fit its tag',
    text: shortestTemplate('', 'x: !!int y'),
    rule: 'yaml-tag',
    at: '7:8',
    says: /the value does not fit its tag !!int/,
  },
  {
    name: 'an old version of YAML',
    text: `%YAML 1.1\n---\n${shortestTemplate()}`,
    rule: 'yaml-version',
    at: '1:1',
    says: /YAML 1.2/,
  },
  {
    name: 'a quote that is not closed',
    text: 'template: "abc\n',
    rule: 'yaml-syntax',
    at: '1:11',
    under: '"abc',
    says: /quote that begins here is never closed/,
    hint: 'write "abc" if the text ends on this line',
  },
  {
    name: 'a list that is not closed',
    text: 'template: [a, b\n',
    rule: 'yaml-syntax',
    at: '1:11',
    under: '[a, b',
    says: /never closed/,
    hint: 'add the closing ]',
  },
  {
    name: 'a quote that another line seems to close',
    text: shortestTemplate('title: "Free\ndescription: "coffee"'),
    rule: 'yaml-syntax',
    at: '5:12',
    under: '"Free',
    says: /never closed/,
  },
  {
    name: 'a text in quotes whose second line is not indented further than its key',
    text: shortestTemplate('description: "Gate A\nrow 5"'),
    rule: 'yaml-syntax',
    at: '6:5',
    under: 'row 5"',
    says: /^the text in quotes that begins above goes on in this line, which is not indented further than description$/,
    hint: 'indent each further line of the text with 6 spaces',
  },
  {
    name: 'a text in quotes of a list whose third line is not indented',
    text: "tags:\n  - 'it''s\n    one\n\n  ''more'' # of it'   # so\n  - two\n",
    rule: 'yaml-syntax',
    at: '5:3',
    under: "''more'' # of it'   # so",
    says: /is not indented far enough$/,
    hint: 'indent each further line of the text with 6 spaces',
  },
  {
    name: 'a quote that is not closed before an item',
    text: "tags:\n  - 'one\n  - two'\n",
    rule: 'yaml-syntax',
    at: '2:5',
    under: "'one",
    says: /never closed/,
  },
  {
    name: 'a quote inside quotes',
    text: 'template: "a "b" c"\n',
    rule: 'yaml-syntax',
    at: '1:15',
    says: /the text ends at the quote before this/,
    hint: 'write \\" for a quote inside the text, or leave the outer quotes out',
  },
  {
    name: 'a field indented too much',
    text: shortestTemplate('  title: Coffee'),
    rule: 'yaml-syntax',
    at: '5:7',
    under: 'title',
    says: /title is indented more than root_type, which has a value already/,
    hint: 'indent it with 4 spaces, as root_type',
  },
  {
    name: 'a field indented at the top',
    text: shortestTemplate().replace('vatom:', ' public: true\nvatom:'),
    rule: 'yaml-syntax',
    at: '2:2',
    under: 'public',
    says: /public is indented more than template/,
    hint: 'do not indent it, as template',
  },
  {
    name: 'a field between two indentations',
    text: shortestTemplate('').replace('  private', '   private'),
    rule: 'yaml-syntax',
    at: '5:4',
    under: 'private',
    says: /the indentation of private is that of nothing above it/,
    hint: 'indent it with 4 spaces, as root_type, or indent it with 2 spaces, as vAtom::vAtomType',
  },
  {
    name: 'an entry of a list indented too little',
    text: shortestTemplate('states:\n    - name: Activated\n   - name: Other'),
    rule: 'yaml-syntax',
    at: '7:8',
    says: /the indentation of this line is that of nothing above it/,
    hint: 'indent it with 8 spaces',
  },
  {
    name: 'a colon inside a text',
    text: 'template: Coffee: the best\n',
    rule: 'yaml-syntax',
    at: '1:11',
    under: 'Coffee: the best',
    says: /another field begins inside/,
    hint: 'if it is one text, write "Coffee: the best"',
  },
  {
    name: 'a missing colon',
    text: 'titel Coffee\nfoo: bar\n',
    rule: 'yaml-syntax',
    at: '1:1',
    says: /": " on its own line/,
  },
  ...[
    ['title:Coffee', 'title: Coffee'],
    ['title:"Coffee"', 'title: "Coffee"'],
    ['redeemable:true', 'redeemable: true'],
    ['title = Coffee', 'title: Coffee'],
    ['title=Coffee', 'title: Coffee'],
  ].flatMap(([line = '', meant]) =>
    [line, `${line}\ncategory: Coupons`].map((lines) => ({
      name: `${JSON.stringify(lines)} without a colon and a space`,
      text: shortestTemplate(lines),
      rule: 'yaml-syntax',
      at: '5:5',
      says: /^this is not a field: a key must be followed by ": " on its own line$/,
      hint: `write ${meant}`,
    })),
  ),
  {
    name: 'a last line that has no colon',
    text: 'titel: x\nfoo bar\n',
    rule: 'yaml-syntax',
    at: '2:1',
    says: /": " on its own line/,
    hint: 'is a colon missing, or the indentation wrong?',
  },
  ...['  ', '   '].map((indent) => ({
    name: `an item without a space behind its dash, and ${indent.length} spaces before its next field`,
    text: shortestTemplate(`states:\n  -name: Activated\n${indent} value: {}`),
    rule: 'yaml-syntax',
    at: `7:${indent.length + 6}`,
    under: 'value',
    says: /value is indented more than -name/,
    hint: 'write - name: with a space after the dash',
  })),
  {
    name: 'items without a space behind their dash',
    text: shortestTemplate('states:\n  -name: Activated\n  -value: {}'),
    rule: 'type',
    at: '5:5',
    says: /^must be a list, not an object$/,
    hint: 'write - name: with a space after the dash',
  },
  {
    name: 'a backslash in double quotes',
    text: shortestTemplate('title: "C:\\drinks"'),
    rule: 'yaml-syntax',
    at: '5:15',
    under: '\\d',
    says: /^\\d begins no escape sequence that YAML has in double quotes$/,
    hint: 'write \\\\ for each \\ of the text, or put the text in single quotes',
  },
  {
    name: 'nothing mergeable',
    text: shortestTemplate('', '<<: 3'),
    rule: 'yaml-key',
    at: '7:9',
    says: /<< merges a map/,
  },
  {
    name: 'nothing mergeable in a list',
    text: shortestTemplate('', '<<: [{a: 1}, 3]'),
    rule: 'yaml-key',
    at: '7:9',
    says: /<< merges a map/,
  },
  {
    name: 'a merge of an alias without its anchor',
    text: shortestTemplate('', '<<: [{a: 1}, *nowhere]'),
    rule: 'yaml-alias',
    at: '7:18',
    under: '*nowhere',
    says: /nothing above it has the anchor &nowhere/,
  },
  { name: 'an empty file', text: '', rule: 'empty', says: /the file is empty/, hint: toWrite },
  { name: 'a blank file', text: '\n \n', rule: 'empty', says: /the file is empty/ },
  { name: 'only comments', text: '# nothing yet\n---\n', rule: 'empty', says: /only comments/, hint: toWrite },
  {
    name: 'a list',
    text: '- a\n- b\n',
    rule: 'type',
    at: '1:1',
    says: /not a list/,
    hint: 'write the fields of each document without "- ", and a line --- between documents',
  },
  { name: 'a single value', text: 'hello\n', rule: 'type', at: '1:1', says: /not a single value/ },
  {
    name: 'deep brackets',
    text: `${shortestTemplate()}\n    b: ${'['.repeat(100_000)}`,
    rule: 'depth',
    at: '7:69',
    says: /nested more than 64 levels deep/,
  },
  { name: 'deep blocks', text: '- '.repeat(100_000), rule: 'depth', at: '1:129', says: /nested more than 64/ },
  {
    name: 'depth by aliases',
    text: `${shortestTemplate('', ['b0: &b0 [x]', ...Array.from({ length: 70 }, (_, n) => `b${n + 1}: &b${n + 1} [*b${n}]`)].join('\n'))}`,
    rule: 'depth',
    at: '1:1',
    says: /nested more than 64/,
  },
  {
    name: 'a very long name, with very many problems in it',
    text: `template: T\n? ${'K'.repeat(200_000)}\n: [${'*a,'.repeat(20_000)} {${'a: 1,'.repeat(20_000)}}]\n`,
    rule: 'depth',
    at: '2:3',
    says: /the names of the fields to here have more than 1024 characters together/,
  },
  {
    name: 'long names by an alias',
    text: `${shortestTemplate('', [`long: &l { ${'x'.repeat(800)}: 1 }`, `more: { ${'y'.repeat(800)}: *l }`].join('\n'))}`,
    rule: 'depth',
    at: '1:1',
    says: /the names of the fields to here have more than 1024/,
  },
  {
    name: 'a million errors',
    text: ']'.repeat(1_000_000),
    rule: 'yaml-syntax',
    at: '1:1',
    says: /unexpected flow-seq-end/,
  },
  {
    name: 'an unknown kind',
    text: `kind: templat\n${shortestTemplate()}`,
    rule: 'kind',
    at: '1:7',
    under: 'templat',
    says: /"templat" is not a kind of document/,
    hint: 'did you mean template?',
  },
  {
    name: 'marks of a conflict in git',
    text: 'template: local.vatom::A::v1\nvatom:\n  type: a\n<<<<<<< HEAD\n  title: a\n=======\n  title: b\n>>>>>>> other\n',
    rule: 'yaml-syntax',
    at: '4:1',
    says: /^merge conflict at line 4: git has left its marks here/,
    hint: 'choose between the lines, and remove the marks',
  },
]

const conflict = '<<<<<<< HEAD\n    a: 2\n=======\n    a: 3\n>>>>>>> other\n'

test.each([
  ['with which the file begins', '', `${conflict}${shortestTemplate()}`, 1],
  ['around a whole document', '<<<<<<< HEAD\n', `${shortestTemplate()}=======\n>>>>>>> other\n`, 1],
  ['below a text in quotes', 'title: "a"\n', conflict, 2],
  ['in Windows lines', 'a: 1\r\n', conflict.replaceAll('\n', '\r\n'), 2],
])('a conflict of git %s is called one, once', async (_, before, text, line) => {
  const { problems } = await loadText(before + text)
  expect(problems.filter(({ rule }) => rule === 'yaml-syntax')).toMatchObject([
    {
      line,
      column: 1,
      message: `merge conflict at line ${line}: git has left its marks here, <<<<<<< and >>>>>>>`,
      hint: 'choose between the lines, and remove the marks',
    },
  ])
})

test('what is wrong beside a conflict of git is said, too', async () => {
  const { problems } = await loadText(`a: *\nb: 1\n${conflict}`)
  expect(problems.map(({ line, rule }) => [line, rule])).toEqual([
    [1, 'yaml-alias'],
    [3, 'yaml-syntax'],
  ])
})

test('a conflict of git below a text with a colon is said with it', async () => {
  const { problems } = await loadText(`title: Coffee: best\n${conflict}`)
  expect(problems.map(({ line, message }) => [line, message])).toEqual([
    [1, 'another field begins inside this value'],
    [2, 'merge conflict at line 2: git has left its marks here, <<<<<<< and >>>>>>>'],
  ])
})

test('what looks like the marks of a conflict in a text is none', async () => {
  const marks = ['<<<<<<< HEAD', '=======', '>>>>>>> other'].map((line) => `      ${line}\n`).join('')
  const { problems } = await loadText(`${shortestTemplate()}\n    text: |\n${marks}    more: *\n`)
  expect(problems).toMatchObject([{ rule: 'yaml-alias' }])
})

test('each mark of a conflict in git that goes over several documents is named', async () => {
  const document = (mark: string) => `template: local.vatom::A::v1\nvatom:\n  type: a\n${mark}\n  title: a\n`
  const { problems } = await loadText(['<<<<<<< HEAD', '=======', '>>>>>>> other'].map(document).join('---\n'))
  const messages = problems.map(({ message }) => message)
  expect(messages.filter((message) => /^merge conflict at line \d+: git has/.test(message))).toHaveLength(3)
  expect(messages.join('\n')).not.toContain('not a field')
})

describe('each trap of YAML has its own answer', () => {
  test.each(traps)('$name', async ({ text, rule, at, under, says, hint, severity = 'error' }) => {
    const { problems, documents } = await loadText(text)
    expect(problems).toEqual([expect.objectContaining({ rule, severity })])
    const [problem] = problems
    const { line, column = 1, endLine, endColumn, message } = problem ?? { message: '' }
    expect(message).toMatch(says)
    expect(line === undefined ? undefined : `${line}:${column}`).toBe(at)
    if (hint) expect(problem?.hint).toBe(hint)
    if (under) expect(text.split('\n')[(line ?? 1) - 1]?.slice(column - 1, endColumn && endColumn - 1)).toBe(under)
    if (under) expect(endLine).toBe(line)
    expect(documents.every(({ valid }) => valid)).toBe(severity === 'warning' || documents.length === 0)
  })

  test.each([
    ['an unquoted day', shortestTemplate('', 'day: 2027-12-31'), '2027-12-31'],
    ['an unquoted instant', shortestTemplate('', 'day: 2027-12-31T10:00:00Z'), '2027-12-31T10:00:00Z'],
    ['a real comment after a key', shortestTemplate('', 'day: # to be said'), null],
    ['a long number that no digit is lost of', shortestTemplate('', 'day: 12345678901234567000'), 12345678901234567000],
    [
      'a decimal number that no digit is lost of',
      shortestTemplate('', 'day: -0.12345678901234568'),
      -0.12345678901234568,
    ],
    ['a fraction without its zero', shortestTemplate('', 'day: .5'), 0.5],
    ['a number with a long exponent', shortestTemplate('', 'day: 1e21'), 1e21],
    ['a small number', shortestTemplate('', 'day: 0.0000001'), 1e-7],
    ['a quoted phone number', shortestTemplate('', 'day: "+41791234567"'), '+41791234567'],
    ['a quoted word', shortestTemplate('', 'day: "no"'), 'no'],
    ['a word in a block', shortestTemplate('', 'day: |-\n      no'), 'no'],
    ['no-break spaces in a text', shortestTemplate('', 'day: Prix\u00a0:\u00a05\u00a0€'), 'Prix\u00a0:\u00a05\u00a0€'],
    ['one that begins a line of a block', shortestTemplate('', 'day: |-\n      \u00a0a:\u00a0b'), '\u00a0a:\u00a0b'],
    ['a text before a comment', shortestTemplate('', 'day: Free # 7'), 'Free'],
    ['a text before a comment without a word', shortestTemplate('', 'day: Free #--7'), 'Free'],
    ['a text before a comment that switches off', shortestTemplate('', 'day: no #vatom-ignore yaml-word'), 'no'],
    ['a # in a text', shortestTemplate('', 'day: C#7 and F#'), 'C#7 and F#'],
    ['a # in quotes', shortestTemplate('', 'day: "Pint #7"'), 'Pint #7'],
    ['a # in a block', shortestTemplate('', 'day: |-\n      Pint #7'), 'Pint #7'],
    ['a # behind quotes', shortestTemplate('', 'day: "Pint" #7'), 'Pint'],
    ['a # behind the mark of a block', shortestTemplate('', 'day: |- #7\n      Pint'), 'Pint'],
    ['a # behind a number', shortestTemplate('', 'day: 5 #7'), 5],
    ['a # behind true', shortestTemplate('', 'day: true #7'), true],
    ['a # behind null', shortestTemplate('', 'day: null #7'), null],
    ['a # behind brackets', shortestTemplate('', 'day: [a] #7'), ['a']],
    ['a # behind braces', shortestTemplate('', 'day: {a: b} #7'), { a: 'b' }],
    ['a # behind a key', shortestTemplate('', 'day: #7 of them\n      a: b'), { a: 'b' }],
    ['a # that is switched off', shortestTemplate('', '# vatom-ignore yaml-comment\nday: Pint #7'), 'Pint'],
    ['a single letter', shortestTemplate('', 'day: n'), 'n'],
    ['a word that is a name in objects', shortestTemplate('', 'day: constructor'), 'constructor'],
    ['curly quotes in plain ones', shortestTemplate('', 'day: "“Free”"'), '“Free”'],
    ['curly quotes in a block', shortestTemplate('', 'day: |-\n      “Free”'), '“Free”'],
    ['curly quotes around words', shortestTemplate('', 'day: “Free” and “tea”'), '“Free” and “tea”'],
    ['a curly quote in a text', shortestTemplate('', 'day: The traveller’s tea ’26'), 'The traveller’s tea ’26'],
    ['a title that is a word', shortestTemplate('title: No', 'day: 1'), 1],
    ['null outright', shortestTemplate('', 'day: null'), null],
    ['a tag that only says what is there', shortestTemplate('', 'day: !!str 12'), '12'],
    ['a merge', shortestTemplate('', 'base: &base {x: 1}\nday: {<<: *base, y: 2}'), { x: 1, y: 2 }],
    ['a merge that is overwritten', shortestTemplate('', 'base: &base {x: 1}\nday: {x: 3, <<: [*base]}'), { x: 3 }],
    ['constructor alone', shortestTemplate('', 'day: {constructor: 1}'), { constructor: 1 }],
  ])('fine: %s', async (_name, text, expected) => {
    const { problems, documents } = await loadText(text)
    expect(problems).toEqual([])
    expect(documents[0]?.value).toMatchObject({ vatom: { private: { day: expected } } })
  })
})

const joined = { rule: 'yaml-document', hint: 'write a line --- before each document of a file but the first' }
const ofEachKind = [template(), variation(), face(), action()]

test.each(ofEachKind.flatMap((first) => ofEachKind.map((second) => [first, second])))(
  'of two documents without a line between them, the second is reported where it begins: %j, %j',
  async (first, second) => {
    const line = first.split('\n').length
    for (const noun of kinds) {
      const { problems } = await loadText(first + second, noun)
      expect(problems).toMatchObject([{ ...joined, line, column: 1 }])
    }
    const apart = await loadText(`${first}---\n${second}`)
    expect(places(apart.problems).filter((one) => one.startsWith(joined.rule))).toEqual([])
  },
)

test('of many documents that are joined, the second is reported where its kind: stands', async () => {
  const { problems } = await loadText(`kind: template\n${template()}kind: variation\n${variation()}${face().repeat(3)}`)
  expect(problems).toMatchObject([{ ...joined, line: template().split('\n').length + 1 }])
})

test.each([
  [
    'in another order',
    'vatom: {vAtom::vAtomType: {}}\ntemplate: $publisher::T::v1\ntemplate_variation: $publisher::T::v1::A\n',
  ],
  ['of a variation', 'template_variation: $publisher::T::v1::A\ntemplate: $publisher::T::v1\nvatom: {}\n'],
  ['with a field twice', `${variation()}public: true\npublic: true\n`],
  [
    'within { }, where no line --- can be',
    '{template: $publisher::T::v1, vatom: {},\ntemplate: $publisher::U::v1, vatom: {}}\n',
  ],
])('the fields of one document are not taken for those of two: %s', async (_name, text) => {
  expect((await loadText(text)).problems.map(({ rule }) => rule)).not.toContain('yaml-document')
})

test.each([
  ['an alias', 'base: &base {open: yes, tel: +41}\nday: *base\nnight: *base'],
  ['a merge', 'base: &base {open: yes, tel: +41}\nday: {<<: *base, at: 1}\nnight: {<<: [*base], at: 2}'],
])('a warning of what %s repeats is given once, where it is written', async (_name, fields) => {
  const { problems } = await loadText(shortestTemplate('', fields))
  expect(places(problems)).toEqual(['yaml-word 7:24', 'yaml-number 7:34'])
})

test('a merged resource that is wrong is warned of once; one that is written twice is warned of twice', async () => {
  const first = (anchor: string) =>
    `resources:\n  - ${anchor}{name: A, resourceType: ResourceType::Image::PNG, value: {resourceValueType: ResourceValueType::URI, value: 'https://a b'}}`
  const { problems } = await loadText(shortestTemplate(`${first('&a ')}\n  - {<<: *a, name: B}`))
  expect(problems.map(({ rule }) => rule)).toEqual(['resource-url'])
  const again = first('').split('\n')[1]?.replace('name: A', 'name: B')
  const twice = await loadText(shortestTemplate(`${first('')}\n${again}`))
  expect(twice.problems.map(({ rule }) => rule)).toEqual(['resource-url', 'resource-url'])
})

test('of very many problems the first are shown, and the rest are counted', async () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `a${index}: *b`)
  const { problems } = await loadText(shortestTemplate('', lines.join('\n')))
  expect(problems).toHaveLength(201)
  expect(problems.map(({ message }) => message)).toContain('800 more problems in this document are not shown')
})

test('however many warnings there are, they are no error', async () => {
  const resource = (index: number) =>
    `  - {name: R${index}, resourceType: ResourceTypes::Image::PNG, value: {resourceValueType: ResourceValueType::URI, value: x}}`
  const resources = `resources:\n${Array.from({ length: 150 }, (_, index) => resource(index)).join('\n')}`
  const { problems, documents } = await loadText(shortestTemplate(resources))
  expect(problems.filter(({ rule }) => rule === 'too-many').length).toBeGreaterThan(0)
  expect(new Set(problems.map(({ severity }) => severity))).toEqual(new Set(['warning']))
  expect(documents[0]?.valid).toBe(true)
})

describe('bytes that are no text', () => {
  const bytes = (...parts: readonly (string | readonly number[])[]) =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
  test.each([
    ['a bad byte', bytes('a: 1\nb: é', [0xe9, 0x20]), 'not UTF-8: byte 0xe9 at offset 10, line 2'],
    [
      'a bad byte after a replacement character',
      bytes('a: \uFFFD', [0xc0]),
      'not UTF-8: byte 0xc0 at offset 6, line 1',
    ],
    ['a cut character', bytes('a: ', [0xe2, 0x82]), 'not UTF-8: byte 0xe2 at offset 3, line 1'],
    ['UTF-16', Buffer.from('\uFEFFa: 1', 'utf16le'), 'the file is UTF-16, not UTF-8'],
    [
      'a NUL',
      bytes('a: 1\n', [0]),
      'not a text file: a NUL character on line 2',
      'it is binary, encrypted or damaged: ',
    ],
    [
      'what git-crypt has encrypted',
      bytes([0], 'GITCRYPT', [0], [0xe9, 0x20]),
      'not a text file: a NUL character on line 1',
      'git-crypt has encrypted it: run git-crypt unlock',
    ],
    ['50 MB', Buffer.alloc(50 * 1024 * 1024, 'a: 1\n'), 'larger than 2 MiB'],
  ])('%s', async (_name, content, message, hint = '') => {
    const { problems } = await loadText(content)
    expect(problems).toEqual([expect.objectContaining({ message, severity: 'error' })])
    expect(problems[0]?.hint ?? '').toContain(hint)
  })

  test('a byte order mark is fine, and moves no column', async () => {
    const { documents } = await loadText(`\uFEFF${shortestTemplate()}`)
    expect(documents[0]).toMatchObject({ valid: true })
    expect(documents[0]?.locate(['template'])).toMatchObject({ line: 1, column: 11 })
  })

  test('Windows line ends are fine', async () => {
    const { problems } = await loadText(`unpublished: no\r\n${shortestTemplate().replaceAll('\n', '\r\n')}\r\n`)
    expect(problems).toEqual([expect.objectContaining({ line: 1, column: 14, endColumn: 16 })])
  })
})
