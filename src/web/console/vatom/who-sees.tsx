import { type Signal, useSignal } from '@preact/signals'
import { nameOf, people, readPeople, usePeople } from '../service/people.ts'
import { currentSession } from '../service/session.ts'
import { Choice } from '../shell/choice.tsx'
import { linkTo, route } from '../shell/route.ts'

/** The user who looks at a screen: the one that its address names, at first, or the publisher. */
export const useSeer = (): Signal<string> => useSignal(route.value.query.get('as') ?? currentSession().publisher.id)

/** The address of a screen as a user sees it. */
export const linkAs = (user: string, screen: string): string => `${linkTo(screen)}?as=${encodeURIComponent(user)}`

interface WhoSeesProps {
  readonly label: string
  readonly user: string
  readonly choose: (id: string) => void
}

/** Chooses the user who looks and acts. */
export function WhoSees({ label, user, choose }: WhoSeesProps) {
  usePeople()
  const ids = people.value?.map(({ id }) => id) ?? []
  const all = ids.includes(user) ? ids : [user, ...ids]
  const options = all.map((id) => [id, nameOf(id)] as const)
  return <Choice label={label} value={user} options={options} set={choose} onFocus={readPeople} />
}
