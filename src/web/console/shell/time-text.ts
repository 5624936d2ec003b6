/** A moment for people, in UTC as the service says it: `2026-03-01 12:00:00`. */
export const timeText = (when: string | Date): string => isoOf(when).slice(0, 19).replace('T', ' ')

/** The time of day of a moment, in UTC. */
export const clockText = (when: string | Date): string => isoOf(when).slice(11, 19)

const isoOf = (when: string | Date): string => (typeof when === 'string' ? when : when.toISOString())
