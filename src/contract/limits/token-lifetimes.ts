/** Seconds for which tokens, pins and codes are valid. */
export const tokenLifetimes = {
  /** Access token lifetime in seconds. Spec 8. */
  accessTokenSeconds: 300,
  /** Refresh token lifetime in seconds (30 days). */
  refreshTokenSeconds: 2_592_000,
  /** Seconds that a pin which stands in for a password is good for. */
  pinSeconds: 900,
  /** Seconds that a code which verifies a user token is good for. */
  verificationSeconds: 900,
} as const
