import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { nameOf, type Person, people, readPeople } from '../service/people.ts'
import { currentSession } from '../service/session.ts'
import { Choice } from '../shell/choice.tsx'
import { linkTo, route } from '../shell/route.ts'

/** The user as whom the address of a page shows it, or the publisher. */
export const seer = (): string => route.value.query.get('as') ?? currentSession().publisher.id

/** The user who looks at a screen: at first the one of its address. */
export const useSeer = (): Signal<string> => useSignal(seer())

/** The address of a screen, or of what it lists, as a user sees it: the publisher where it names nobody. */
export const linkAs = (user: string, ...words: readonly string[]): string =>
  user === currentSession().publisher.id ? linkTo(...words) : `${linkTo(...words)}?as=${encodeURIComponent(user)}`

interface WhoSeesProps {
  readonly label: string
  readonly user: string
  readonly choose: (id: string) => void
  /** Those who are offered; all users unless given. */
  readonly among?: readonly Person[]
}

/** Chooses the user who looks and acts. */
export function WhoSees({ label, user, choose, among = people.value ?? [] }: WhoSeesProps) {
  // Some may have been made since others were loaded.
  useEffect(readPeople, [])
  const ids = among.map(({ id }) => id)
  const all = ids.includes(user) ? ids : [user, ...ids]
  const options = all.map((id) => [id, nameOf(id)] as const)
  return <Choice label={label} value={user} options={options} set={choose} onFocus={readPeople} />
}
