import { options } from 'preact'
import { printable } from '../../../contract/printable.ts'
import { isObject } from '../../../contract/schema/path.ts'

/** Attributes that are shown or read out as texts. What is to be edited is none. */
const textAttributes = ['title', 'aria-label']

/**
 * Has every text of the page, and every such attribute of its elements, show what is invisible or reorders it as escapes, as
 * commands do: what others store could read as something else. Faces are drawn as viewers draw them.
 */
const before = options.vnode
options.vnode = (node) => {
  const { type, props }: { readonly type: unknown; readonly props: unknown } = node
  if (typeof props === 'string') Object.assign(node, { props: printable(props) })
  if (typeof type === 'string' && isObject(props)) escapeAttributes(props)
  before?.(node)
}

function escapeAttributes(props: Readonly<Record<string, unknown>>): void {
  for (const name of textAttributes) {
    const text = props[name]
    if (typeof text === 'string') Object.assign(props, { [name]: printable(text) })
  }
}
