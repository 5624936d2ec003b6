/** Whether a publisher can be known by a name: a domain name, in lower case. */
export const isDomainName = (name: string): boolean => name.length <= 253 && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)
