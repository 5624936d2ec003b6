import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { plural } from '../../../contract/schema/wording.ts'
import { resourcesOf } from '../../faces/subject.ts'
import type { ResourceList } from '../../resources/resource-list.ts'
import { Problem, sentenceOf } from '../shell/problem.tsx'
import { placeholderFor } from './placeholder.ts'

/** What a vAtom has of images, 3D models, sound, video and text. They are loaded when somebody opens the list. */
export function Resources({ vatom }: { readonly vatom: unknown }) {
  const resources = resourcesOf(vatom)
  const isOpen = useSignal(false)
  const problem = useSignal<string | undefined>(undefined)
  const area = useRef<HTMLDivElement>(null)
  // Drawn on while the resources are the same: a change of another field does not end what is played.
  const content = JSON.stringify(resources)
  useEffect(() => {
    if (!isOpen.value) return
    let list: ResourceList | undefined
    let isOver = false
    import('../../resources/resource-list.ts').then(
      ({ drawResources }) => {
        if (isOver) return
        list = drawResources(resources, (url) => placeholderFor(vatom, url))
        area.current?.replaceChildren(list.element)
      },
      (error: unknown) => {
        problem.value = sentenceOf(error)
      },
    )
    return () => {
      isOver = true
      list?.destroy()
      area.current?.replaceChildren()
    }
  }, [isOpen.value, content])
  if (resources.length === 0) return null
  return (
    <section aria-label="Resources">
      <details
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open
        }}
      >
        <summary>{plural(resources.length, 'resource')}</summary>
        <div ref={area} />
        {problem.value !== undefined && <Problem>{problem.value}</Problem>}
      </details>
    </section>
  )
}
