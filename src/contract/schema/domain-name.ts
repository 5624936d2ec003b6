import { limits } from '../limits.ts'

/** Whether a service can call a publisher so: a domain name, in whatever case. */
export const isPublisherName = (name: string): boolean => isDomainName(name.toLowerCase())

/** Whether a name can be a publisher's: a domain name in lower case. */
export const isDomainName = (name: string): boolean =>
  name.length <= limits.domainName && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)
