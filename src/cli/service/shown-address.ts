/** The scheme of a text that may be an address, and what it has before a host: up to the last @, as a password can have any character. */
export const user = /^([a-z][\w+.-]*:\/\/)?.*@/is

/** A text that may be no address, as messages show it: a query may have a token. */
export const withHiddenUser = (url: string) => url.replace(user, '$1…@').replace(/([?#]).+/s, '$1…')
