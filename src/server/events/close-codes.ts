/** Close codes of RFC 6455, by the reason. After 1012, clients connect again and read everything again. */
export const closeCodes = {
  closing: 1001,
  sessionEnded: 1008,
  misused: 1008,
  replaced: 1012,
  missed: 1012,
  full: 1013,
} as const
