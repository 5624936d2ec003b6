/** Names under which emulators and containers reach the machine they run on. */
const fromWithin = ['10.0.2.2', 'host.docker.internal']

/** Whether a host name or address means this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d{1,3}){3}$/.test(host) || isLoopback6(host)

const isLoopback6 = (host: string) => ['::1', '[::1]', '::ffff:127.0.0.1'].includes(host)

/** Whether a `Host` header is one the service answers to, which keeps other sites' names from reaching it. */
export function hostCheck(allowed: readonly string[]): (header: string | undefined) => boolean {
  const names = new Set([...fromWithin, ...allowed].map((name) => nameOf(name.toLowerCase())))
  return (header) => {
    const name = nameOf((header ?? '').toLowerCase())
    return name !== '' && (isLoopback(name) || names.has(name))
  }
}

/** A host without its port; an IPv6 address keeps its brackets. */
function nameOf(host: string): string {
  if (host.startsWith('[')) return host.slice(0, host.indexOf(']') + 1)
  const parts = host.split(':')
  return parts.length > 2 ? `[${host}]` : (parts[0] ?? '')
}
