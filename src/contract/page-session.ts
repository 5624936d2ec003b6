/**
 * Header of the requests of a page of the console or of the preview: the token of its session, which an answer that begins
 * one has in the same header. It is no cookie: a browser sends those to all ports of a host, also for an image that a vAtom
 * names.
 */
export const pageSessionHeader = 'vatom-page-session'

/** Header of a request that begins a session: the key of a link, which can be used once. */
export const pageKeyHeader = 'vatom-page-key'
