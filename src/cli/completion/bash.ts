import { allFlags, readWord, tables } from './command-tables.ts'
import type { Row } from './rows.ts'

/** The completion script of bash, from 3.2 on. */
export const bashScript = (rows: readonly Row[]): string =>
  ['# Completes vatom in bash; printed by: vatom completion bash', ...tables(rows, (name) => name), walk].join('\n')

/** Bash splits words at `:` and `=`: the parts are joined first, and at the end completions are cut at the same place. */
const walk = String.raw`
# Writes into part what a name is within the quote that is open; fails for one that cannot stand there.
_vatom_quoted() {
  local i char
  case $quote in
    \') [[ $1 != *\'* ]] ;;
    \")
      part=''
      for ((i = 0; i < @{#1}; i++)); do
        char=@{1:i:1}
        case $char in
          [\"\$\\\`]) part+=\\ ;;
          !) return 1 ;;
        esac
        part+=$char
      done
      ;;
    *)
      printf -v part %q "$1"
      if [[ $1 == \~* ]]; then part=@{part#\\}; fi
      ;;
  esac
}

_vatom() {
  local IFS=$' \t\n' reply=() own=() names=() files=() words=() service=() sorts=() sort plain
  local line=$COMP_LINE rest=$COMP_LINE at='' flag='' lead='' quote='' blank='' count=0 i part cur stem
  for ((i = 0; i <= COMP_CWORD; i++)); do
    part=@{COMP_WORDS[i]}
    if [[ -z $line || $i -eq 0 || $rest == [[:space:]]* ]]; then
      words+=("$part")
    else
      words[@{#words[@]} - 1]+=$part
    fi
    rest=@{rest#"@{rest%%[![:space:]]*}"}
    rest=@{rest#"$part"}
  done
  cur=@{words[@{#words[@]} - 1]}

  for ((i = 1; i < @{#words[@]} - 1; i++)); do
    part=@{words[i]}
${readWord}
  done

  if [[ -n $flag ]]; then
    _vatom_values "$at" "$flag"
  elif [[ $cur == --*=* ]]; then
    lead=@{cur%%=*}=
    _vatom_values "$at" "@{cur%%=*}"
    cur=@{cur#*=}
  elif [[ $cur == -* ]]; then
${allFlags}
  else
    if [[ $count -eq 0 ]]; then _vatom_words "$at"; fi
    own=("@{reply[@]}")
    _vatom_values "$at" $((count + 1))
  fi

  case $cur in
    [\'\"]*)
      quote=@{cur:0:1}
      cur=@{cur:1}
      if [[ $quote == '"' ]]; then cur=@{cur//\\/}; fi
      ;;
    *) cur=@{cur//\\/} ;;
  esac
  COMPREPLY=()
  sorts=("@{reply[@]}")
  reply=()
  for sort in "@{sorts[@]}"; do
    case $sort in
      @nothing) ;;
      @files | @folders)
        flag=-f
        if [[ $sort == @folders ]]; then flag=-d; fi
        while IFS= read -r part; do files+=("$part"); done < <(compgen $flag -- "$cur")
        ;;
      @*)
        while IFS= read -r part; do names+=("$part"); done < <(
          "@{words[0]/#\~/$HOME}" "@{service[@]}" __complete "@{sort#@}" -- "$cur" 2>/dev/null
        )
        ;;
      *) reply+=("$sort") ;;
    esac
  done
  stem=''
  if [[ -z $quote && $COMP_WORDBREAKS == *:* ]]; then stem=@{cur%"@{cur##*:}"}; fi
  if [[ $COMP_WORDBREAKS == *=* ]]; then lead=''; fi
  # Beside files bash quotes all by itself, if it can.
  plain=''
  if [[ @{#files[@]} -gt 0 ]]; then
    if compopt -o filenames 2>/dev/null; then
      plain=yes
      COMPREPLY=("@{files[@]}")
    else
      names+=("@{files[@]}")
    fi
  fi
  for part in "@{own[@]}" "@{reply[@]}"; do
    if [[ $part == "$cur"* ]]; then names+=("$part"); fi
  done
  for part in "@{names[@]}"; do
    if [[ $part != "$cur"* ]]; then blank=' '; fi
    part=@{part#"$stem"}
    if [[ -z $plain ]]; then _vatom_quoted "$part" || continue; fi
    COMPREPLY+=("$lead$part")
  done
  # Names with what is typed as a later part: without the blank, what they begin with would be written in its place.
  if [[ -n $blank ]]; then COMPREPLY+=("$blank"); fi
}

complete -F _vatom vatom`.replaceAll('@{', '${')
