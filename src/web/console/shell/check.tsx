interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly set: (to: boolean) => void
}

/** Something that is on or off. */
export const Check = ({ label, checked, set }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => set(currentTarget.checked)} />
    {label}
  </label>
)
