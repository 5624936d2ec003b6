/** A page of the manual as text: the build puts it into the bundle. */
declare module '*.md' {
  const text: string
  export default text
}
