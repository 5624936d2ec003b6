import { limits } from '../limits.ts'

/**
 * A name in which each letter and its accent are one character (Unicode NFC). One that is too long to be a name stays as it
 * is: the time for it grows with the square of its length.
 */
export const composed = (name: string): string => (name.length > limits.name ? name : name.normalize('NFC'))
