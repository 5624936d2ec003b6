import { isLoopback as isLoopbackHost } from '../contract/api/loopback.ts'

/** Whether an address is on this machine. */
export const isLoopback = (url: string): boolean => isLoopbackHost(new URL(url).hostname)
