/** The completion scripts. Each asks `conex complete`, so that proposals always match the program. */

export const scripts = {
  // Without proposals from Conex, bash proposes files.
  bash: `# Completion of conex for bash: eval "$(conex completion bash)" in ~/.bashrc
_conex() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(conex complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}
complete -o default -F _conex conex
`,
  zsh: `#compdef conex
# Completion of conex for zsh: eval "$(conex completion zsh)" in ~/.zshrc, after compinit
_conex() {
  local line text
  local -a done_texts done_shown open_texts open_shown
  for line in "\${(@f)$(conex complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    text=\${line%%$'\\t'*}
    [[ -z $text ]] && continue
    if [[ $text == *= ]]; then
      open_texts+=("$text"); open_shown+=("$text  \${line#*$'\\t'}")
    else
      done_texts+=("$text"); done_shown+=("$text  \${line#*$'\\t'}")
    fi
  done
  if (( $#done_texts + $#open_texts == 0 )); then _files; return; fi
  (( $#done_texts )) && compadd -l -d done_shown -a done_texts
  (( $#open_texts )) && compadd -l -S '' -d open_shown -a open_texts
}
if [[ $funcstack[1] == _conex ]]; then _conex "$@"; else compdef _conex conex; fi
`,
  fish: `# Completion of conex for fish: conex completion fish > ~/.config/fish/completions/conex.fish
function __conex_complete
    set -l current (commandline -ct)
    set -l words (commandline -opc) "$current"
    set -l found (conex complete -- $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c conex -f -a '(__conex_complete)'
`,
} as const

export type Shell = keyof typeof scripts
