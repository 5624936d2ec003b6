import { options } from 'preact'
import { printable } from '../../../contract/printable.ts'

/**
 * Has every text of the page show what is invisible or reorders it as escapes, as commands do: what others store could read
 * as something else. Faces are drawn as viewers draw them.
 */
const before = options.vnode
options.vnode = (node) => {
  const { props }: { readonly props: unknown } = node
  if (typeof props === 'string') Object.assign(node, { props: printable(props) })
  before?.(node)
}
