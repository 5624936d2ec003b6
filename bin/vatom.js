#!/usr/bin/env node

// Old Nodes must be able to read this file as far as this check: no newer syntax before or after it.
const [major, minor, patch] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && (minor < 18 || (minor === 18 && patch < 1)))) {
  console.error(`vatom needs Node 20.18.1 or newer; this is ${process.version}`)
  process.exit(1)
}

const fs = require('node:fs')
const path = require('node:path')

/** Prints what package.json says, without setting up stdout, which costs more than everything else here. */
function printVersion() {
  const { version } = JSON.parse(fs.readFileSync(path.join(__dirname, '../package.json'), 'utf8'))
  try {
    fs.writeSync(1, `${version}\n`)
  } catch (error) {
    if (error.code === 'EPIPE') return
    console.error(`the version can't be printed: ${error.message}`)
    process.exitCode = 1
  }
}

const isVersion = ['--version', '-V', '-v', 'version'].includes(process.argv[2])
if (isVersion && !process.argv.includes('--json')) printVersion()
else require('./launch.js').launch(process.argv.slice(2))
