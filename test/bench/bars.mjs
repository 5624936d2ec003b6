/** Each benchmark by name, in the order of the bars it measures. */
export const bars = {
  start: () => import('./start.mjs'),
  validate: () => import('./validate.mjs'),
  files: () => import('./files.mjs'),
  call: () => import('./call.mjs'),
  create: () => import('./create.mjs'),
  serve: () => import('./serve.mjs'),
  read: () => import('./read.mjs'),
  write: () => import('./write.mjs'),
  discover: () => import('./discover.mjs'),
  emit: () => import('./emit.mjs'),
  catalog: () => import('./catalog.mjs'),
  frames: () => import('./frames.mjs'),
  project: () => import('./project.mjs'),
}
