/** Whether a status says that no answer of the service came in time, or none at all, as gateways say it. */
export const isUnavailable = (status: number): boolean => status === 408 || (status >= 502 && status <= 504)

/** Whether a status says nothing of the request itself, which may succeed later. */
export const isTemporary = (status: number): boolean =>
  isUnavailable(status) || status === 429 || (status >= 500 && status !== 501)
