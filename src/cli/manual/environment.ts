import { pipelines } from '../pipeline.ts'

interface Variable {
  readonly group: string
  readonly name: string
  readonly meaning: string
}

const grouped = (group: string, meanings: Readonly<Record<string, string>>): Variable[] =>
  Object.entries(meanings).map(([name, meaning]) => ({ group, name, meaning }))

const apiAside = 'what `api` answers without `--json`'
const noCommand = `no text of output is taken for a command of it, but ${apiAside}`

/** Environment variables that are read. A flag for the same setting wins. */
export const environment: readonly Variable[] = [
  ...grouped('Which service', {
    VATOM_CONTEXT: 'the context to use; `--context` wins over it',
    VATOM_BASE_URL:
      'the address of a service; needs `VATOM_APP_ID`; `VATOM_CONTEXT` wins over it; messages and logs have all of it, so no secret belongs in its path',
    VATOM_APP_ID: 'the application id for `VATOM_BASE_URL` or `--base-url`',
    VATOM_REFRESH_TOKEN: 'the session for `VATOM_BASE_URL`; no session is read from disk or written to it',
    VATOM_ACCESS_TOKEN:
      'an access token instead of a refresh token, and used where both are set; it expires five minutes after it was issued',
    VATOM_PUBLISHER:
      'your publisher domain name, for commands that have no session to take it from, such as `validate`, and the publisher of `serve` with a service in memory; a session of another publisher is a usage error',
    VATOM_INSECURE: '`1`, `true` or `yes` allows plain `http://` to other machines, as `--insecure` does',
    HTTP_PROXY:
      'the proxy for `http://` addresses, and without HTTPS_PROXY for `https://` ones; `http_proxy` wins over it',
    HTTPS_PROXY: 'the proxy for `https://` addresses; empty: none; `https_proxy` wins over it',
    NODE_EXTRA_CA_CERTS: "a file with the certificate of a company's own authority, in PEM",
    NO_PROXY: 'hosts that are reached without a proxy; `no_proxy` wins over it',
  }),
  ...grouped('Where files are', {
    VATOM_CONFIG_DIR: 'contexts and sessions; default `$XDG_CONFIG_HOME/vatom`',
    VATOM_DATA_DIR: 'the local database, its snapshots, and the records of `apply`; default `$XDG_DATA_HOME/vatom`',
    VATOM_CACHE_DIR: 'caches, which can be deleted at any time; default `$XDG_CACHE_HOME/vatom`',
    XDG_CONFIG_HOME: 'an absolute path, or it is not used; default `~/.config`',
    XDG_DATA_HOME: 'likewise; default `~/.local/share`',
    XDG_CACHE_HOME: 'likewise; default `~/.cache`',
    VATOM_CODE_CACHE: '`off`: do not cache compiled code',
  }),
  ...grouped('How output looks', {
    VATOM_PAGER: 'the pager for long output on a terminal; empty or `cat`: no pager',
    PAGER: 'the pager of all programs, where `VATOM_PAGER` is not set; default `less -FRX`',
    LESS: 'options for `less`; default `FRX`',
    LESSCHARSET: 'character set for `less`; default `utf-8`',
    NO_COLOR: 'any value: no colours, unless `--color` is given',
    FORCE_COLOR: 'colours without a terminal; `0`: no colours',
    CLICOLOR_FORCE: 'colours without a terminal',
    CLICOLOR: '`0`: no colours',
    TERM: '`dumb`: no colours and no pager',
    VATOM_PICTURES: '`none`: no pictures on a terminal; `kitty`, `iterm2` or `sixel`: it takes these, and is not asked',
    TERM_PROGRAM: 'the terminal, of which some take no questions, or pictures in a way of their own',
    LC_TERMINAL: 'as `TERM_PROGRAM`, on another machine',
    TERMINAL_EMULATOR: 'as `TERM_PROGRAM`',
    TMUX: 'set: pictures as `sixel`, if tmux takes them',
    STY: 'as `TMUX`, for screen',
    INSIDE_EMACS: 'any value: no pictures',
  }),
  ...grouped('In pipelines and on this machine', {
    CI: 'any value: ask nothing, and show nothing in a pager, also at a terminal; refuse to use the service on this machine unless `VATOM_CONTEXT` or `--context` names it; open no browser. Set it where a scheduler sets none of the following',
    ...Object.fromEntries(Object.entries(pipelines).map(([name, system]) => [name, `as \`CI\`, for ${system}`])),
    TF_BUILD: `as \`CI\`, for Azure Pipelines; ${noCommand}`,
    TEAMCITY_VERSION: `as \`CI\`, for TeamCity; ${noCommand}`,
    GITHUB_ACTIONS: `as \`CI\`, for GitHub; no text of output is taken for a workflow command, but the lines of \`--format github\`, and ${apiAside}`,
    GITHUB_WORKSPACE: 'the checkout on GitHub; file names in reports are relative to it',
    CI_PROJECT_DIR: 'the checkout on GitLab; file names in reports are relative to it',
    GIT_DIR:
      'the repository of the files in `GIT_WORK_TREE`, as where they are deployed from a bare one; a relative path counts from the current folder',
    GIT_WORK_TREE:
      'the folder of those files; a relative path counts from the current folder. Default: the folder that the settings of the repository name (`core.worktree`). If they name none, the current folder, unless the repository is bare or there is a `.git` in that folder or one around it',
    GIT_INDEX_FILE:
      'the index of a commit that is being made, as git names it to hooks; read where it is in the `.git` of its repository or in `GIT_DIR`',
    VATOM_SERVE_PASSWORD:
      'the password of the publishers of `vatom serve` that have set none of their own; another value ends the sessions that began with the former',
    VATOM_METRICS_TOKEN: 'the token with which other machines read `/__vatom/metrics` of `vatom serve`',
    OTEL_EXPORTER_OTLP_ENDPOINT:
      'the collector to which `vatom serve` sends traces over OTLP/HTTP, such as `http://localhost:4318`; other variables of OpenTelemetry apply, too',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'the whole address for traces, instead of `OTEL_EXPORTER_OTLP_ENDPOINT`',
    OTEL_SDK_DISABLED: '`true`: send no traces',
    CHROME_PATH:
      'the Chromium or Chrome that `vatom preview` and `vatom show` draw pictures with, instead of the first on the `PATH`',
    PATH: 'folders in which they look for Chromium or Chrome',
    DISPLAY: 'set: there is a screen, on which `vatom preview` opens a browser',
    WAYLAND_DISPLAY: 'as `DISPLAY`',
  }),
]
