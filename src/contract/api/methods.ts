/** The methods of requests for operations. */
export const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
export type Method = (typeof methods)[number]
