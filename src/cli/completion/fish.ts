import { type Flag, type Row, serviceFlags, type Values, valueFlags } from './rows.ts'

/** The completion script of fish. */
export const fishScript = (rows: readonly Row[]): string =>
  [
    '# Completes vatom in fish; printed by: vatom completion fish',
    `set -g __vatom_takes ${valueFlags(rows).join(' ')}`,
    `set -g __vatom_passes ${serviceFlags.join(' ')}`,
    `set -g __vatom_knows ${rows
      .slice(1)
      .map(({ path }) => quoted(path))
      .join(' ')}`,
    walk,
    '',
    'complete -c vatom -f',
    ...rows.flatMap(linesOf),
  ].join('\n')

function linesOf({ path, words, flags, operands, variadic }: Row): string[] {
  const at = (number: string) => `-n ${quoted(`__vatom_at ${quoted(path)} ${number}`)}`
  const anywhere = path === '' ? '' : ` -n ${quoted(`__vatom_at ${quoted(path)}`)}`
  return [
    ...words.map(({ name, summary }) => `complete -c vatom ${at('1')} -a ${quoted(name)} -d ${quoted(summary)}`),
    ...flags.map((flag) => `complete -c vatom${anywhere}${namesOf(flag)} -d ${quoted(flag.summary)}`),
    ...operands.map((values, index) => {
      const again = variadic && index === operands.length - 1
      return `complete -c vatom ${at(`${index + 1}${again ? '+' : ''}`)}${offered(values)}`
    }),
  ]
}

const namesOf = ({ short, long, values }: Flag): string =>
  [
    short === undefined ? '' : ` -s ${short}`,
    long === undefined ? '' : ` -l ${long}`,
    values === undefined ? '' : ` -r${offered(values)}`,
  ].join('')

/** Where values come from, as flags of `complete`. */
function offered(given: Values): string {
  const values = [given].flat()
  const words = values.flatMap(wordsOf)
  return `${values.includes('@files') ? ' -F' : ' -f'}${words.length > 0 ? ` -a ${quoted(words.join(' '))}` : ''}`
}

/** A value as the words that fish offers; files are not among them. */
function wordsOf(value: string): readonly string[] {
  if (value === '@nothing' || value === '@files') return []
  if (value === '@folders') return ['(__fish_complete_directories)']
  return [value.startsWith('@') ? `(__vatom_names ${value.slice(1)})` : value]
}

/** Text as one word of fish, where a backslash means something between single quotes, too. */
const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

const walk = String.raw`
function __vatom_walk
  set -l at ''
  set -l count 0
  set -l flag ''
  set -l words (commandline -opc)
  for part in $words[2..-1]
    if test -n "$flag"
      set flag ''
      continue
    end
    if string match -q -- '-*' $part
      if contains -- $part $__vatom_takes
        set flag $part
      end
      continue
    end
    if test "$part" = help -a -z "$at" -a $count -eq 0
      continue
    end
    set -l next (string trim -- "$at $part")
    if test $count -eq 0; and contains -- $next $__vatom_knows
      set at $next
    else
      set count (math $count + 1)
    end
  end
  echo $at
  echo $count
end

function __vatom_at
  set -l here (__vatom_walk)
  test "$here[1]" = "$argv[1]"; or return 1
  set -q argv[2]; or return 0
  set -l number (math $here[2] + 1)
  if string match -q -- '*+' $argv[2]
    test $number -ge (string trim -r -c + -- $argv[2])
  else
    test $number -eq $argv[2]
  end
end

function __vatom_names
  set -l words (commandline -opc)
  set -l service
  set -l flag ''
  for part in $words[2..-1]
    if test -n "$flag"
      set -a service $flag $part
      set flag ''
    else if contains -- $part $__vatom_passes
      set flag $part
    else if contains -- (string split -m 1 = -- $part)[1] $__vatom_passes
      set -a service $part
    end
  end
  set -l typed (string replace -r '^--[^=]+=' '' -- (commandline -ct) | string replace -r '^[\'"]' '' | string replace -a '\\' '')
  command $words[1] $service __complete $argv[1] -- "$typed" 2>/dev/null
end`
