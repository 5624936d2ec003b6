import { allFlags, readWord, tables } from './command-tables.ts'
import type { Row } from './rows.ts'

/** The completion script of zsh: to be sourced, or put as `_vatom` where zsh looks for functions. */
export const zshScript = (rows: readonly Row[]): string =>
  [
    '#compdef vatom',
    '# Completes vatom in zsh; printed by: vatom completion zsh',
    ...tables(rows, described),
    walk,
  ].join('\n')

/** A word with its meaning, as _describe takes them. */
const described = (name: string, summary: string) => `${name}:${summary}`

// `path` is zsh's own, so the commands so far are called `at`.
const walk = `
_vatom() {
  local -a reply own others service sorts
  local at='' flag='' part cur=@{words[CURRENT]}
  integer i count=0 found
  for ((i = 2; i < CURRENT; i++)); do
    part=@{(Q)words[i]}
${readWord}
  done

  if [[ -n $flag ]]; then
    _vatom_values "$at" "$flag"
  elif [[ $cur == --*=* ]]; then
    _vatom_values "$at" "@{cur%%=*}"
    compset -P '*='
  elif [[ $cur == -* ]]; then
${allFlags}
    reply+=("@{own[@]}")
    _describe -o option reply
    return
  else
    if [[ $count -eq 0 ]]; then _vatom_words "$at"; fi
    own=("@{reply[@]}")
    if [[ @{#own} -gt 0 ]]; then _describe command own; fi
    _vatom_values "$at" $((count + 1))
  fi

  sorts=("@{reply[@]}")
  found=$((@{#own} == 0))
  for part in "@{sorts[@]}"; do
    case $part in
      @nothing) ;;
      @files) _files && found=0 ;;
      @folders) _files -/ && found=0 ;;
      @*)
        reply=("@{(@f)$("@{(Q)words[1]}" "@{service[@]}" __complete "@{part#@}" -- "@{(Q)PREFIX}" 2>/dev/null)}")
        compadd -- "@{(@)reply:#}" && found=0
        others=("@{(@)reply:#@{(b)@{(Q)PREFIX}}*}")
        # Names with what is typed as a later part are only listed: what they begin with would be written in its place.
        if [[ @{#others:#} -gt 0 ]]; then
          compadd -U -- "@{(@)others:#}" && found=0
          compstate[insert]='' compstate[list]='list force'
        fi
        ;;
      *) compadd -- "$part" && found=0 ;;
    esac
  done
  return found
}

if [[ $funcstack[1] == _vatom ]]; then
  _vatom "$@"
else
  compdef _vatom vatom
fi`.replaceAll('@{', '${')
