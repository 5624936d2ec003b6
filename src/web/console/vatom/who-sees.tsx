import { nameOf, people, usePeople } from '../service/people.ts'
import { Choice } from '../shell/choice.tsx'

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
  return <Choice label={label} value={user} options={all.map((id) => [id, nameOf(id)])} set={choose} />
}
