import type { Host } from './host.ts'

/** A password may begin or end with white space. */
const passwords: readonly string[] = ['VATOM_SERVE_PASSWORD']

/**
 * The host with the variables of this tool without white space around them, as the file of a secret has a line break at its
 * end; of a password, only line breaks at its end are left out.
 */
export function withTrimmedVariables(host: Host): Host {
  const trimmed = Object.entries(host.env).flatMap(([name, value = '']) => {
    const meant = name.startsWith('VATOM_') ? withoutSpace(name, value) : value
    return meant === value ? [] : [[name, meant] as const]
  })
  return trimmed.length === 0 ? host : { ...host, env: { ...host.env, ...Object.fromEntries(trimmed) } }
}

const withoutSpace = (name: string, value: string) =>
  passwords.includes(name) ? value.replace(/[\r\n]+$/, '') : value.trim()
