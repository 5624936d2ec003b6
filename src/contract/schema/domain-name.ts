import { limits } from '../limits.ts'
import { hasJwt } from '../tokens.ts'

/** Without `u`, by which `k` would also be the sign of Kelvin. */
const domainName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i

/** Whether a service can call a publisher so: a domain name, in whatever case; a JWT, which could be one, is not meant. */
export const isPublisherName = (name: string): boolean =>
  name.length <= limits.domainName && domainName.test(name) && !hasJwt(name)

/** Whether two names are of one publisher: the case of letters does not tell domain names apart. */
export const isSamePublisher = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Whether a name can be a publisher's: a domain name in lower case. */
export const isDomainName = (name: string): boolean => isPublisherName(name) && !/[A-Z]/.test(name)
