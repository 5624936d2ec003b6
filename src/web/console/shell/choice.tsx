interface ChoiceProps<T extends string> {
  readonly label: string
  readonly value: T
  /** Each with the text that is shown for it. */
  readonly options: readonly (readonly [value: T, text: string])[]
  readonly set: (value: T) => void
  /** Called when somebody is about to choose. */
  readonly onFocus?: () => void
}

/** Chooses one of a few values. */
export const Choice = <T extends string>({ label, value, options, set, onFocus }: ChoiceProps<T>) => (
  <label class="check">
    {label}
    <select
      value={value}
      onFocus={onFocus}
      onChange={({ currentTarget }) => {
        const chosen = options.find(([one]) => one === currentTarget.value)
        if (chosen) set(chosen[0])
      }}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
)
