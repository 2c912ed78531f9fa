# Completes the command stretto in bash and zsh. Written by: stretto completion bash

if [ -n "${ZSH_VERSION-}" ]; then
  type compdef >/dev/null 2>&1 || { autoload -U +X compinit && compinit; }
  autoload -U +X bashcompinit && bashcompinit
fi

# The options of a command.
_stretto_options() {
  case "$1" in
${options}
  esac
}

# What follows an option: words, @files, or nothing that is known; @list before words that commas may
# separate, @several before words that may follow each other. Fails if the option takes no value.
_stretto_values() {
  case "$1 $2" in
${values}
    *) return 1 ;;
  esac
}

# The arguments of a command that are not options.
_stretto_arguments() {
  case "$1" in
${arguments}
  esac
}

# Completes $1 from the choices $2; results begin behind the prefix $3, which bash does not replace.
_stretto_reply() {
  local typed=$1 choices=" $2 " skip=$3 before= each IFS=$' \t\n'
  if [[ $choices == *' @files '* ]]; then
    type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
    IFS=$'\n'
  elif [[ $choices == *' @list '* && $typed == *,* ]]; then
    before=${typed%,*},
  fi
  for each in $(_stretto_matches "$choices" "${typed#"$before"}"); do
    each=$before$each
    COMPREPLY+=("${each#"$skip"}")
  done
}

_stretto_matches() {
  if [[ $1 == *' @files '* ]]; then
    compgen -f -- "$2"
  else
    local choices=${1//@list/}
    compgen -W "${choices//@several/}" -- "$2"
  fi
}

_stretto_complete() {
  # For bash, a colon and an equals sign are words of their own; here virtual:h200 is one word.
  local -a before
  local i raw joined= skip= last=
  before=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    raw=${COMP_WORDS[i]}
    if [[ -n $joined && ($raw == : || $raw == = || $last == : || $last == =) ]]; then
      skip=$joined
      joined+=$raw
    else
      ((i == 0)) || before+=("$joined")
      skip=
      joined=$raw
    fi
    last=$raw
  done
  [[ $last != : && $last != = ]] || skip=$joined
  local typed=$joined
  COMPREPLY=()

  local command= awaiting= several= word
  for word in "${before[@]:1}"; do
    if [[ $word == -- ]]; then
      # What follows is another program's command.
      if [[ ${before[${#before[@]} - 1]} == -- ]]; then
        COMPREPLY=($(compgen -c -- "$typed"))
      else
        _stretto_reply "$typed" @files "$skip"
      fi
      return 0
    elif [[ $word == -* ]]; then
      awaiting= several=
      if [[ $word != *=* ]] && _stretto_values "$command" "$word" >/dev/null; then
        awaiting=$word
        [[ " $(_stretto_values "$command" "$word") " != *' @several '* ]] || several=1
      fi
    elif [[ -n $awaiting ]]; then
      [[ -n $several ]] || awaiting=
    elif [[ -z $command ]]; then
      command=$word
    fi
  done

  local option=${typed%%=*}
  if [[ $typed == --*=* ]]; then
    # Where an equals sign does not end a word, the option is part of what is replaced.
    local shown=$option=
    [[ $skip != "$shown"* ]] || skip=${skip#"$shown"} shown=
    _stretto_reply "${typed#*=}" "$(_stretto_values "$command" "$option")" "$skip"
    [[ -z ${COMPREPLY[0]-} ]] || COMPREPLY=("${COMPREPLY[@]/#/$shown}")
  elif [[ $typed == -* ]]; then
    _stretto_reply "$typed" "$(_stretto_options "$command")" "$skip"
  elif [[ -n $awaiting ]]; then
    _stretto_reply "$typed" "$(_stretto_values "$command" "$awaiting")" "$skip"
  else
    _stretto_reply "$typed" "$(_stretto_arguments "$command")" "$skip"
  fi
}

complete -F _stretto_complete stretto
