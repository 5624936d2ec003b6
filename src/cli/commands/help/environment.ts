import { defined } from '../../io/wrap.ts'
import type { Page } from './index.ts'

interface Variable {
  readonly name: string
  readonly meaning: string
}
const variable = (name: string, meaning: string): Variable => ({ name, meaning })

const groups: Readonly<Record<string, readonly Variable[]>> = {
  'Which service': [
    variable('VATOM_CONTEXT', 'the context to talk to; --context goes before it'),
    variable('VATOM_BASE_URL', 'the address of a service, with VATOM_APP_ID; VATOM_CONTEXT goes before it'),
    variable('VATOM_APP_ID', 'the application id for VATOM_BASE_URL or --base-url'),
    variable(
      'VATOM_REFRESH_TOKEN',
      'a session for VATOM_BASE_URL; with it nothing is read from or kept on disk but what apply has done',
    ),
    variable('VATOM_ACCESS_TOKEN', 'the same, for as long as the token lives: five minutes'),
    variable('VATOM_PUBLISHER', 'your domain name, where no session tells it'),
    variable('VATOM_INSECURE', '1 allows plain http beyond this machine, as --insecure does'),
    variable('HTTP_PROXY', 'the proxy for http addresses; http_proxy goes before it'),
    variable('HTTPS_PROXY', 'the proxy for https addresses; https_proxy goes before it'),
    variable('NO_PROXY', 'hosts that are reached without a proxy; no_proxy goes before it'),
  ],
  'Where files are': [
    variable('VATOM_CONFIG_DIR', 'contexts and sessions, instead of XDG_CONFIG_HOME/vatom'),
    variable('VATOM_DATA_DIR', 'the local context’s database and what apply has done, instead of XDG_DATA_HOME/vatom'),
    variable('VATOM_CACHE_DIR', 'what may be deleted at any time, instead of XDG_CACHE_HOME/vatom'),
    variable('XDG_CONFIG_HOME', 'the folder that vatom is in; ~/.config when unset'),
    variable('XDG_DATA_HOME', 'the folder that vatom is in; ~/.local/share when unset'),
    variable('XDG_CACHE_HOME', 'the folder that vatom is in; ~/.cache when unset'),
    variable('VATOM_CODE_CACHE', 'off keeps no compiled code'),
  ],
  'How output looks': [
    variable('VATOM_PAGER', 'the program that shows long lists on a terminal; empty or cat: none'),
    variable('PAGER', 'the same, for all programs; less -FRX when unset'),
    variable('LESS', 'options of less; FRX when unset'),
    variable('LESSCHARSET', 'what less takes the text for; utf-8 when unset, as it is'),
    variable('NO_COLOR', 'no colours, where --color does not ask for them'),
    variable('FORCE_COLOR', 'colours without a terminal; 0: none'),
    variable('CLICOLOR_FORCE', 'colours without a terminal'),
    variable('CLICOLOR', '0: no colours'),
    variable('TERM', 'dumb: no colours and no pager'),
  ],
  'In pipelines and on this machine': [
    variable('CI', 'set: warns that a change is made on this machine only, where no service was chosen'),
    variable('GITHUB_ACTIONS', 'set: that warning is an annotation'),
    variable('GITHUB_WORKSPACE', 'the checkout: reports name files from there'),
    variable('VATOM_SERVE_PASSWORD', 'the seeded publisher’s password of vatom serve'),
  ],
}

/** Variables that are read. */
export const environment: Page = {
  data: Object.entries(groups).flatMap(([group, variables]) => variables.map((one) => ({ group, ...one }))),
  lines: ({ columns }) => [
    'Environment variables that vatom reads. Flags go before them.',
    ...Object.entries(groups).flatMap(([group, variables]) => [
      '',
      `${group}:`,
      ...variables.flatMap(({ name, meaning }) => defined(name, meaning, 24, columns)),
    ]),
    '',
    'Example:',
    '  VATOM_BASE_URL=https://api.example.com VATOM_APP_ID=ID \\',
    '    VATOM_REFRESH_TOKEN="$TOKEN" vatom template create catalog/',
  ],
}
