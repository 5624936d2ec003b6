/** Headers of all that a page loads: nothing of it is cached, guessed, or read by pages of elsewhere. */
export const privateHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/**
 * The content security policy of a page: no script and no style sheet but those from `built`, and none in line.
 * Resources and web faces come from wherever vAtoms say. `sockets` are the addresses of its WebSockets.
 */
export const pagePolicy = (built: string, sockets: readonly string[] = []): string =>
  [
    "default-src 'none'",
    `script-src ${built}`,
    `style-src ${built}`,
    "img-src 'self' data: blob: http: https:",
    "media-src 'self' http: https:",
    `connect-src ${["'self'", ...sockets, 'blob:', 'http:', 'https:'].join(' ')}`,
    "frame-src 'self' http: https:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
