import { limits } from '../limits.ts'

/** Whether a name can be a publisher's: a domain name in lower case. */
export const isDomainName = (name: string): boolean =>
  name.length <= limits.domainName && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)
