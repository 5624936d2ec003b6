import { printable } from '../../../contract/printable.ts'

/** Whether the user says yes to a question; what reorders text is escaped in it, as it may name what others stored. */
export const isConfirmed = (question: string): boolean => confirm(printable(question))
