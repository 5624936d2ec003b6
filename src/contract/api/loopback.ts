const octet = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const address4 = new RegExp(`^(::ffff:)?127(\\.${octet}){3}$`)
const names = ['localhost', '::1', '[::1]']

/** The host of an address as connections take it: that of IPv6 without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Whether a host name or address means this machine alone; an IPv6 address with or without its brackets. */
export const isLoopback = (host: string): boolean =>
  names.includes(host) || /^[\w-]+(\.[\w-]+)*\.localhost$/i.test(host) || address4.test(host)

/** Whether an address is on this machine. */
export const isLoopbackUrl = (url: string): boolean => isLoopback(new URL(url).hostname)
