const longest = 300

/** One line a request; the query and all bodies stay out of it. */
export const requestLine = (
  method: string,
  url: string,
  status: number | 'dropped',
  milliseconds: number,
  requestId: string,
) => `${method} ${url.split('?', 1)[0]?.slice(0, longest)} ${status} ${milliseconds.toFixed(1)}ms ${requestId}`
