import { quoted } from '../io/text.ts'
import { type Row, serviceFlags, typed, valueFlags } from './rows.ts'

/** A word and what it means. */
type Cell = (name: string, summary: string) => string

/** How bash and zsh read `part`, a word before the one that is completed; `@{` stands for a dollar sign and a brace. */
export const readWord = `    if [[ -n $flag ]]; then
      if _vatom_passes "$flag"; then service+=("$flag" "$part"); fi
      flag=''
    elif [[ $part == --*=* ]]; then
      if _vatom_passes "@{part%%=*}"; then service+=("$part"); fi
    elif [[ $part == -* ]]; then
      if _vatom_takes "$part"; then flag=$part; fi
    elif [[ $part == help && -z $at && $count -eq 0 ]]; then
      continue
    elif [[ $count -eq 0 ]] && _vatom_knows "@{at:+$at }$part"; then
      at=@{at:+$at }$part
    else
      count=$((count + 1))
    fi`

/** How bash and zsh put the flags of the command into `reply`, and those of the root into `own`. */
export const allFlags = `    _vatom_flags ''
    own=("@{reply[@]}")
    reply=()
    if [[ -n $at ]]; then _vatom_flags "$at"; fi`

/**
 * The functions of bash and zsh that look something up: `_vatom_words PATH`, `_vatom_flags PATH` and `_vatom_values PATH
 * FLAG|NUMBER` put what they find into `reply`; the others succeed or fail.
 */
export const tables = (rows: readonly Row[], cell: Cell): string[] => [
  ...lookup(
    '_vatom_words',
    rows.map(({ path, words }) => [quoted(path), words.map(({ name, summary }) => cell(name, summary))]),
  ),
  ...lookup(
    '_vatom_flags',
    rows.map(({ path, flags }) => [
      quoted(path),
      flags.flatMap((flag) => typed(flag).map((name) => cell(name, flag.summary))),
    ]),
  ),
  ...lookup('_vatom_values', [...rows.slice(1), ...rows.slice(0, 1)].flatMap(valueCases)),
  ...predicate('_vatom_takes', valueFlags(rows)),
  ...predicate('_vatom_passes', serviceFlags),
  ...predicate(
    '_vatom_knows',
    rows.slice(1).map(({ path }) => path),
  ),
]

type Case = readonly [pattern: string, found: readonly string[]]

/** Values by `PATH|FLAG` and by `PATH|NUMBER`; the root's flags can follow every command. */
function valueCases({ path, flags, operands, variadic }: Row): Case[] {
  const last = operands.length - 1
  const key = (name: string) => (path === '' ? `*${quoted(`|${name}`)}` : quoted(`${path}|${name}`))
  return [
    ...flags.flatMap((flag): Case[] =>
      flag.values === undefined ? [] : [[typed(flag).map(key).join('|'), [flag.values].flat()]],
    ),
    ...operands.map((values, index): Case => {
      const again = variadic && index === last
      return [again ? `${quoted(`${path}|`)}[0-9]*` : key(String(index + 1)), [values].flat()]
    }),
  ]
}

const lookup = (name: string, cases: readonly Case[]): string[] => [
  `${name}() {`,
  '  reply=()',
  `  case "${name === '_vatom_values' ? '$1|$2' : '$1'}" in`,
  ...cases
    .filter(([, found]) => found.length > 0)
    .map(([pattern, found]) => `    ${pattern}) reply=(${found.map(quoted).join(' ')}) ;;`),
  '  esac',
  '}',
]

const predicate = (name: string, words: readonly string[]): string[] => [
  `${name}() {`,
  '  case "$1" in',
  `    ${words.map(quoted).join('|')}) return 0 ;;`,
  '  esac',
  '  return 1',
  '}',
]
