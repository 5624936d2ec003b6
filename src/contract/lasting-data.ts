/**
 * How the data of `vatom serve --db FILE` is copied, and removed. A service that was killed has left in `FILE-wal` what was
 * written last; one that was stopped leaves no such file.
 */
export const copyOfFile =
  'stop the service, then copy, or remove, FILE, the folder FILE.assets and, where there is one, FILE-wal'
