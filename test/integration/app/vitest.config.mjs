export default { test: { include: ['*.vitest.test.mjs'], pool: 'threads', isolate: false } }
