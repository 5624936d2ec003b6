/** Why documents refuse the fields of records, as a service answers them; a command prints the document of one. */
export const ofRecord = (command: string) => ({
  properties: `a record of the service has it: ${command} prints the document of that, and vatom pull writes all`,
  meta: 'the service sets it',
})
