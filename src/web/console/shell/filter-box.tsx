interface FilterBoxProps {
  /** What is searched. */
  readonly label: string
  readonly placeholder?: string
  readonly value: string
  readonly set: (text: string) => void
}

/** The field that filters a list; the key `/` focuses it. */
export const FilterBox = ({ label, placeholder = label, value, set }: FilterBoxProps) => (
  <input
    data-filter
    type="search"
    aria-label={label}
    placeholder={placeholder}
    value={value}
    onInput={({ currentTarget }) => set(currentTarget.value)}
  />
)
