import { signal } from '@preact/signals'

/** Where the page is: the words of the address after `#/`, and its query. */
export interface Route {
  readonly words: readonly string[]
  readonly query: URLSearchParams
}

function current(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2)
  return { words: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) }
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

/** Where the page is now. */
export const route = signal(current())
addEventListener('hashchange', () => {
  route.value = current()
})

/** The address of a screen within the page. */
export const linkTo = (...words: readonly string[]): string => `#/${words.map(encodeURIComponent).join('/')}`
