const secrets: readonly RegExp[] = [
  /password|passphrase|secret|auth_?data/,
  /tokens?\]?$/,
  /(^|[^a-z])(pin|otp)\]?$/,
  // Not those of countries and the like.
  /(^|[.[])((pin|verify|verification|auth|authorization|access|login|reset)_?)?code\]?$/,
]

/**
 * Whether the value of a key signs somebody in or proves who they are, in any spelling of the key: new_password,
 * auth_data.password, accessToken, pin, verify_code; but not token_type or country_code.
 */
export function isSecretKey(key: string): boolean {
  const words = key.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
  return secrets.some((pattern) => pattern.test(words))
}
