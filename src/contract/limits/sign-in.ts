/** Names, passwords and codes of users: how long, how many, and how often a wrong one may be tried. */
export const signInLimits = {
  /** Characters of first_name, last_name and password, at most. None of them has a minimum length. Spec 8. */
  text: 64,
  /** Characters of a publisher's domain name. */
  domainName: 253,
  /** Characters of an e-mail address, a phone number or a guest id. */
  userToken: 256,
  /** User tokens of one user, a guest id beside them. */
  userTokens: 10,
  /** Characters of an access or refresh token that a client takes from an answer, and bytes of a secret that it reads from standard input. */
  bearerToken: 8192,
  /** Sessions of one user: a new one ends the one that would end first. */
  sessions: 1000,
  /** Sessions of pages of the console, or of a preview, that one publisher begins with a login, or that begin with links: a new one ends the one that was not used for longest. */
  pageSessions: 100,
  /** Wrong passwords in a row after which an account is locked. */
  loginAttempts: 5,
  /** Seconds for which an account stays locked. */
  loginLockSeconds: 300,
  /** Machines whose wrong passwords for a seeded publisher are counted, each for itself. */
  loginPlaces: 10_000,
  /** Logins of one account that may wait in line. */
  loginsWaiting: 64,
  /** Passwords hashed at once: each takes 128 MiB and a thread. With `--max-memory` below 512, one. */
  passwordsAtOnce: 2,
  /** Passwords that wait to be hashed, above which each user at each address has one; those of seeded publishers for themselves. */
  passwordsWaiting: 64,
  /** Calls a minute from one address, of each operation that signs in, makes a guest, or sends or checks a code; and of changes of the password by one user; `serve --calls-per-minute` sets it. */
  callsPerMinute: 120,
  /** Digits of a code, which a person types. */
  codeDigits: 6,
  /** Digits of a pin, which is used as a password: so many that nobody can guess it. */
  pinDigits: 16,
  /** Seconds after a code or a pin in which no other is made and sent to the same address, until it is used. */
  codePauseSeconds: 60,
  /** The latest pins of an address that are valid: whoever asks for others cannot end one that its holder is typing. */
  pinsValid: 3,
  /** Wrong codes for an address, whoever tries them and wherever from, after which the right one is refused, too. */
  codeAttempts: 5,
  /** Seconds for which no code is accepted for the address then; each further five wrong codes double them. */
  codeWaitSeconds: 300,
  /** Seconds for which no code is accepted at most, and after which wrong codes are forgotten. */
  codeWaitMax: 86_400,
} as const
